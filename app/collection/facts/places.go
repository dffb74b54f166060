package facts

import (
	"maps"
	"slices"
)

// Worldwide is where a fact holds that holds everywhere.
const Worldwide = "Worldwide"

const (
	eu  = "EU"
	eea = "EEA"
	us  = "United States"
)

// places are where facts hold, each with the larger ones whose facts hold there
// too.
var places = map[string][]string{
	Worldwide: nil, eea: nil, eu: {eea}, us: nil,
	"Australia": nil, "Brazil": nil, "Canada": nil, "Indonesia": nil, "Singapore": nil, "South Korea": nil, "Switzerland": nil,
	"Thailand": nil, "Türkiye": nil, "United Kingdom": nil,
	"Austria": {eu, eea}, "France": {eu, eea}, "Germany": {eu, eea}, "Italy": {eu, eea}, "Netherlands": {eu, eea}, "Spain": {eu, eea},
	"Alabama": {us}, "California": {us}, "Colorado": {us}, "Connecticut": {us}, "Louisiana": {us}, "Maryland": {us},
	"Massachusetts": {us}, "Minnesota": {us}, "Mississippi": {us}, "New York": {us}, "Oregon": {us}, "Texas": {us}, "Utah": {us},
	"Virginia": {us}, "Washington": {us},
}

// Places returns where the facts of a ledger hold, but Worldwide, by name.
func (l Ledger) Places() []string {
	found := map[string]bool{}
	for _, f := range l {
		for _, place := range f.Where {
			found[place] = true
		}
	}
	delete(found, Worldwide)
	return slices.Sorted(maps.Keys(found))
}

// HoldsIn tells whether a fact is for those who sell in a place: it holds there,
// in what the place is part of, everywhere, or in a part of it.
func (f *Fact) HoldsIn(place string) bool {
	return slices.ContainsFunc(f.Where, func(where string) bool {
		return where == place || where == Worldwide || slices.Contains(places[place], where) || slices.Contains(places[where], place)
	})
}
