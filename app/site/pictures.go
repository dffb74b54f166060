package site

import "fmt"

// pictures are drawn with a pen of 1.5 on 24 by 24, a line for each category.
var pictures = map[string]string{
	"Strategy":              "M12 3.5a8.5 8.5 0 1 0 0 17a8.5 8.5 0 0 0 0-17zM15.5 8.5l-2 5-5 2 2-5z",
	"SEO & discovery":       "M10.5 4a6.5 6.5 0 1 0 0 13a6.5 6.5 0 0 0 0-13zM15.3 15.3l5.2 5.2",
	"Content & copy":        "M5 15.5L15.5 5l3.5 3.5L8.5 19l-4.5 1zM13 7.5l3.5 3.5M13.5 20H20",
	"Conversion":            "M4 5h16l-6 7.5V18l-4 2.5v-8z",
	"Paid & measurement":    "M4 20h16M6.5 17v-4M11 17V9.5M15.5 17v-5M20 17V5",
	"Messaging & retention": "M4 5h16v11h-8.5L7 20v-4H4zM8 9h8M8 12.5h5",
	"Sales & prospecting":   "M12 4a4 4 0 1 0 0 8a4 4 0 0 0 0-8zM4.5 20.5c0-4 3.3-6 7.5-6s7.5 2 7.5 6",
	"Growth & launch":       "M12 21v-9M12 15c0-4-3-6-7-6c0 4 3 6 7 6zM12 12c0-5 3-7.5 7.5-7.5c0 5-3 7.5-7.5 7.5z",
}

// picture is a category's picture beside its name, which says the same.
func picture(category string) string {
	return fmt.Sprintf(`<svg class="Symbol" viewBox="0 0 24 24" aria-hidden="true"><path d="%s"/></svg>`, pictures[category])
}
