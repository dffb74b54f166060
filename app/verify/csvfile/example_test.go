package csvfile_test

import (
	"fmt"
	"os"

	"marketingskills/app/verify"
	"marketingskills/app/verify/csvfile"
)

func Example() {
	file, err := csvfile.Read([]byte("Name;E-mail\nAnn;ann@acme.example\n"), "")
	if err != nil {
		fmt.Println(err)
		return
	}
	err = file.Write(os.Stdout, func(int) verify.Result { return verify.Result{State: verify.OK, SubState: verify.EmailOK} })
	if err != nil {
		fmt.Println(err)
	}
	// Output:
	// Name;E-mail;email_state;email_sub_state;did_you_mean;verified_at
	// Ann;ann@acme.example;ok;email_ok;;
}
