package facts

import (
	"maps"
	"slices"
)

// Worldwide is the place of a fact that holds everywhere.
const Worldwide = "Worldwide"

const (
	eu  = "EU"
	eea = "EEA"
	us  = "United States"
)

// places are the places that facts may name, each with the larger ones that it is
// a part of.
var places = map[string][]string{
	Worldwide: nil, eea: nil, eu: {eea}, us: nil,
	"Australia": nil, "Brazil": nil, "Canada": nil, "Indonesia": nil, "Singapore": nil, "South Korea": nil, "Switzerland": nil,
	"Thailand": nil, "Türkiye": nil, "United Kingdom": nil,
	"Austria": {eu, eea}, "France": {eu, eea}, "Germany": {eu, eea}, "Italy": {eu, eea}, "Netherlands": {eu, eea}, "Spain": {eu, eea},
	"Alabama": {us}, "California": {us}, "Colorado": {us}, "Connecticut": {us}, "Louisiana": {us}, "Maryland": {us},
	"Massachusetts": {us}, "Minnesota": {us}, "Mississippi": {us}, "New York": {us}, "Oregon": {us}, "Texas": {us}, "Utah": {us},
	"Virginia": {us}, "Washington": {us},
}

// Places returns the places that the facts name, sorted, without [Worldwide].
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

// HoldsIn tells whether a fact matters to those who sell in a place: because it
// holds there, worldwide, in a larger place around it, or in a part of it.
func (f *Fact) HoldsIn(place string) bool {
	return slices.ContainsFunc(f.Where, func(where string) bool {
		return where == place || where == Worldwide || slices.Contains(places[place], where) || slices.Contains(places[where], place)
	})
}
