package tryout

import (
	"cmp"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
)

// Comparison is what verdicts say of one condition against another.
type Comparison struct {
	Condition string `json:"condition"`
	Against   string `json:"against"`
	Control   bool   `json:"control,omitempty"` // two answers without a skill
	Tally
	Kinds  []Tally `json:"kinds"`
	Skills []Tally `json:"skills"`
	// Agreed and Pairs: of the pairs that were read more than once, on how many all
	// verdicts are the same.
	Agreed int `json:"agreed"`
	Pairs  int `json:"pairs"`
	// Longer is the median, over requests, of the words of an answer divided by
	// those of the answers against it; 0 if lengths are not known.
	Longer float64 `json:"longer,omitempty"`
	scores []float64
}

// Tally counts a group of requests.
type Tally struct {
	Group string  `json:"group,omitempty"`
	Won   int     `json:"won"` // requests
	Lost  int     `json:"lost"`
	Tied  int     `json:"tied"`
	Share float64 `json:"share"`
	Low   float64 `json:"low"` // of the 95% interval
	High  float64 `json:"high"`
	// Verdicts are those won, lost and tied.
	Verdicts [3]int `json:"verdicts"`
	Result   string `json:"result"`
}

// What a tally can say.
const (
	Better = "better"
	Worse  = "worse"
	TooFew = "too few to tell"
)

// Requests is how many there are.
func (t Tally) Requests() int { return t.Won + t.Lost + t.Tied }

// plain tells whether a condition is a sample without a skill: none, none-2.
func plain(condition string) bool {
	return condition == "none" || strings.HasPrefix(condition, "none-")
}

// against is what a verdict's condition is compared with: all samples without a
// skill together, but each by itself where both are without one.
func (v Verdict) against() string {
	if plain(v.Against) && !plain(v.Condition) {
		return "none"
	}
	return v.Against
}

// Compare counts the verdicts: comparisons of skills first, controls last.
func (t *Trial) Compare() []Comparison {
	groups := map[[2]string][]Verdict{}
	for _, v := range t.Verdicts {
		key := [2]string{v.Condition, v.against()}
		groups[key] = append(groups[key], v)
	}
	var all []Comparison
	for key, verdicts := range groups {
		c := Comparison{Condition: key[0], Against: key[1], Control: plain(key[0]) && plain(key[1]), Tally: tally("", verdicts)}
		c.Kinds = t.by(verdicts, (*Request).kind, kindsInOrder)
		c.Skills = t.by(verdicts, func(r *Request) string { return r.Skill }, nil)
		c.Agreed, c.Pairs = agreement(verdicts)
		c.Longer = t.longer(verdicts)
		c.scores = slices.Collect(maps.Values(scores(verdicts)))
		all = append(all, c)
	}
	slices.SortFunc(all, func(a, b Comparison) int {
		if a.Control != b.Control {
			return map[bool]int{true: 1, false: -1}[a.Control]
		}
		return cmp.Or(cmp.Compare(a.Condition, b.Condition), cmp.Compare(a.Against, b.Against))
	})
	return all
}

// by counts verdicts by a property of their requests, in an order if there is
// one.
func (t *Trial) by(verdicts []Verdict, property func(*Request) string, order []string) []Tally {
	groups := map[string][]Verdict{}
	for _, v := range verdicts {
		if name := property(t.request(v.Request)); name != "" {
			groups[name] = append(groups[name], v)
		}
	}
	var all []Tally
	for _, name := range slices.Sorted(maps.Keys(groups)) {
		all = append(all, tally(name, groups[name]))
	}
	slices.SortStableFunc(all, func(a, b Tally) int { return cmp.Compare(slices.Index(order, a.Group), slices.Index(order, b.Group)) })
	return all
}

// scores are the means of each request's verdicts: 1 won, 0 lost.
func scores(verdicts []Verdict) map[string]float64 {
	sums, counts := map[string]float64{}, map[string]float64{}
	for _, v := range verdicts {
		counts[v.Request]++
		switch v.Better {
		case v.Condition:
			sums[v.Request]++
		case Tie:
			sums[v.Request] += 0.5
		}
	}
	for request, n := range counts {
		sums[request] /= n
	}
	return sums
}

func tally(group string, verdicts []Verdict) Tally {
	t := Tally{Group: group, Result: TooFew}
	for _, v := range verdicts {
		t.Verdicts[slices.Index([]string{v.Condition, v.Against, Tie}, v.Better)]++
	}
	byRequest := scores(verdicts)
	values := make([]float64, 0, len(byRequest))
	for _, request := range slices.Sorted(maps.Keys(byRequest)) {
		values = append(values, byRequest[request])
		switch s := byRequest[request]; {
		case s > 0.5:
			t.Won++
		case s < 0.5:
			t.Lost++
		default:
			t.Tied++
		}
	}
	t.Share, t.Low, t.High = interval(values)
	if t.Low > 0.5 {
		t.Result = Better
	} else if t.High < 0.5 {
		t.Result = Worse
	}
	return t
}

// draws are how often the bootstrap draws: the limits of the interval are then
// sure to half a percentage point.
const draws = 10000

// interval returns the mean of scores between 0 and 1, and its 95% interval as
// the package comment describes it.
func interval(scores []float64) (share, low, high float64) {
	if len(scores) == 0 {
		return 0.5, 0, 1
	}
	lot := rand.New(rand.NewPCG(20261123, uint64(len(scores))))
	means := make([]float64, draws)
	for i := range means {
		won := lot.ExpFloat64()
		sum, weights := won, won+lot.ExpFloat64()
		for _, s := range scores {
			w := lot.ExpFloat64()
			sum, weights = sum+w*s, weights+w
		}
		means[i] = sum / weights
	}
	slices.Sort(means)
	for _, s := range scores {
		share += s / float64(len(scores))
	}
	return share, min(share, means[draws*25/1000]), max(share, means[draws*975/1000])
}

// Scores say how much scores vary, roughly, from so many; and fewer requests than
// fewestNeeded tell nothing of a share of 60%: their interval holds 50% even if
// each of them scores 0.6.
const (
	enoughScores = 20
	fewestNeeded = 17
)

// Needed returns how many requests tell a share of 60% from one of 50% four
// times in five, with scores that vary as those of the comparisons do: (1.96 +
// 0.84)² times the variance within a comparison, divided by the square of the
// difference. It is 0, for not known, where there are too few scores.
func Needed(comparisons []Comparison) int {
	squares, freedom := 0.0, 0.0
	for _, c := range comparisons {
		for _, s := range c.scores {
			squares += (s - c.Share) * (s - c.Share)
		}
		freedom += float64(max(len(c.scores)-1, 0))
	}
	if freedom < enoughScores {
		return 0
	}
	const z = 1.959964 + 0.841621
	return max(fewestNeeded, int(math.Ceil(z*z*squares/freedom/(0.1*0.1))))
}

// agreement counts the pairs that were read more than once.
func agreement(verdicts []Verdict) (agreed, pairs int) {
	read := map[[3]string][]string{}
	for _, v := range verdicts {
		key := [3]string{v.Request, v.Condition, v.Against}
		read[key] = append(read[key], v.Better)
	}
	for _, better := range read {
		if len(better) > 1 {
			pairs++
			if len(slices.Compact(better)) == 1 {
				agreed++
			}
		}
	}
	return agreed, pairs
}

// longer compares the words of the answers that were read.
func (t *Trial) longer(verdicts []Verdict) float64 {
	words := map[[2]string]int{}
	for _, a := range t.Answers {
		words[[2]string{a.Request, a.Condition}] = a.Words
	}
	var ratios []float64
	seen := map[[2]string]bool{}
	for _, v := range verdicts {
		with, without := words[[2]string{v.Request, v.Condition}], words[[2]string{v.Request, v.Against}]
		if pair := [2]string{v.Request, v.Against}; with > 0 && without > 0 && !seen[pair] {
			seen[pair] = true
			ratios = append(ratios, float64(with)/float64(without))
		}
	}
	return median(ratios)
}

// median returns the middle of values, 0 if there are none.
func median(values []float64) float64 {
	slices.Sort(values)
	n := len(values)
	if n == 0 {
		return 0
	}
	return (values[(n-1)/2] + values[n/2]) / 2
}
