package csvfile

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// headings are names of the column with the addresses, the likeliest first, in
// small letters and without what is no letter.
var headings = []string{
	"email", "emailaddress", "mail", "emailadresse", "mailaddress", "mailadresse", "adresseemail", "adressemail",
	"primaryemail", "contactemail", "workemail", "businessemail", "useremail", "emailwork", "courriel", "correo",
	"correoelectronico", "correoelectrónico", "indirizzoemail", "endereçodeemail", "enderecodeemail", "epost", "sähköposti",
}

// letters leaves of a heading what [headings] has: "E-Mail Address" is
// "emailaddress".
func letters(heading string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsLetter(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, heading)
}

// findColumn finds the column with the addresses, and with it whether there is
// a header.
func (f *File) findColumn(wanted string) error {
	first := f.cells(f.records[0])
	first = first[:min(len(first), f.width)]
	names := slices.Clone(first)
	for len(names) < f.width {
		names = append(names, "")
	}
	named := likelyColumn(first)
	if wanted != "" {
		named = slices.IndexFunc(first, func(name string) bool { return strings.EqualFold(strings.TrimSpace(name), wanted) })
	}
	number, err := strconv.Atoi(wanted)
	switch {
	case named >= 0:
		f.column = named
	case wanted == "":
		f.column = f.fullestColumn()
	case err == nil && 1 <= number && number <= f.width:
		f.column = number - 1
	default:
		f.column = -1
	}
	if f.column < 0 {
		return &ColumnError{wanted, names}
	}
	if named >= 0 || !strings.Contains(names[f.column], "@") {
		f.header, f.records = &f.records[0], f.records[1:]
	}
	return nil
}

// likelyColumn finds it by name, -1 if no heading is known.
func likelyColumn(first []string) int {
	for _, known := range headings {
		if i := slices.IndexFunc(first, func(name string) bool { return letters(name) == known }); i >= 0 {
			return i
		}
	}
	return -1
}

// fullestColumn finds the column with the most cells that hold an @, which must
// be at least half of those that are not empty; -1 if there is none.
func (f *File) fullestColumn() int {
	hold, filled := make([]int, f.width), make([]int, f.width)
	for _, r := range f.records {
		for i, cell := range f.cells(r) {
			if i == f.width {
				break // what was appended
			}
			if strings.TrimSpace(cell) != "" {
				filled[i]++
			}
			if strings.Contains(cell, "@") {
				hold[i]++
			}
		}
	}
	best := -1
	for i, n := range hold {
		// A heading is no address.
		if n > 0 && 2*n >= filled[i]-1 && (best < 0 || n > hold[best]) {
			best = i
		}
	}
	return best
}
