package sample

import (
	"strings"
	"time"

	"marketingskills/app/prospect/fakehost"
)

const (
	visitor = "you-sample" // whose token it is
	site    = "https://sample.invalid/"
	people  = 311
	again   = 200 // entry of the forks, from 0, that repeats the one before: the first of page 3
)

// The numbers of given and of family names have no common divisor, so that
// nobody has another's name; no word is in both lists, so that a login may
// turn them round.
const (
	given = "Aiko Amara Anouk Arjun Beatriz Bilal Camille Chidi Dalia Dmitri Elif Esther Farid Freya Giulia Hana Hugo Inés Ivo Jamila Kaito " +
		"Lena Mateus Mei Nadia Nikhil Noor Olga Oskar Pilar Priya Rafael Ruth Samir Søren Tariq Thandi Uma Viktor Wanjiru Yara Yusuf Zoë"

	family = "Abara Adeyemi Andersen Banerjee Barros Castellan Chukwu Dubois Eriksen Farouk Fiorelli Gallego Haddad Holm Ito Jansen " +
		"Kamau Kowalska Lindqvist Marchetti Nakata Novák Nyambura Okafor Ortega Petrov Quispe Rao " +
		"Sandoval Sato Tamm Toledo Ueda Vargas Weiss Xiong Yılmaz Zając Zeman Ødegård Šimić"
)

// firms have a login, the number of the city most of them work in, and the
// ways their people write the name. The first owns the repository.
const firms = `acme|0|Acme|@acme|ACME|Acme, Inc.
hexagon_labs|0|Hexagon Labs|@hexagon_labs|hexagon labs|Hexagon Labs GmbH
studio_ro|2|Studio Ro|@studio_ro|studio ro
kestrel_data|1|Kestrel Data|@kestrel_data|KestrelData
papaya_works|4|Papaya Works|@papaya_works|Papaya Works Ltd
tideline_maps|3|Tideline Maps|@tideline_maps|Tideline
blue_barn|5|Blue Barn|@blue_barn|Blue Barn Co-op
ferrum_cloud|1|Ferrum Cloud|@ferrum_cloud|Ferrum Cloud Inc`

const (
	alone  = "freelance|Freelancer|self-employed|Independent|freelance, open to work"
	cities = `Berlin|Berlin, Germany|Berlin|berlin
Austin|Austin, TX|Austin, Texas, USA
Lyon|Lyon, France
Lagos|Lagos, Nigeria
Bengaluru|Bangalore, India|Bengaluru, India
São Paulo|São Paulo, Brazil|Sao Paulo
Toronto|Toronto, Canada
Kraków|Krakow, Poland
Nairobi|Nairobi, Kenya
Remote|Earth`
	bios = "Backend, mostly Go.|Keeps small tools alive.|Data pipelines and the people behind them.|" +
		"Ops by day, gardener by night.|Learning in public.|Compilers, cycling, coffee.|" +
		"Writes fewer lines every year.|Developer tools. Opinions are mine.|Maps, transport and open data.|Tests first, then tea."
)

// dice is a xorshift generator: the same throws for the same person, always.
type dice uint32

func (d *dice) roll(n int) int {
	*d ^= *d << 13
	*d ^= *d >> 17
	*d ^= *d << 5
	return int(uint32(*d) % uint32(n))
}

// in is true that many times of a hundred.
func (d *dice) in(percent int) bool { return d.roll(100) < percent }

// of is one of the texts between the bars.
func (d *dice) of(texts string) string {
	all := strings.Split(texts, "|")
	return all[d.roll(len(all))]
}

// line is one of the lines, from 0.
func line(texts string, n int) string { return strings.Split(texts, "\n")[n] }

func day(n int) time.Time { return time.Date(2010, 1, 1+n, 0, 0, 0, 0, time.UTC) }

// settle invents everybody, and who is in which list. Two are listed only:
// their accounts are gone.
func settle(h *fakehost.Host) {
	for i := range people {
		a := invent(i)
		a.Deleted = i%157 == 80
		h.People = append(h.People, a)
		if forks := h.Lists["forks"]; len(forks) == again {
			h.Lists["forks"] = append(forks, forks[again-1])
		}
		person := a.Type == "User"
		for list, listed := range map[string]bool{"forks": true, "stargazers": person,
			"subscribers": person && i%3 == 0, "contributors": person && i%5 == 1} {
			if listed {
				h.Lists[list] = append(h.Lists[list], a)
			}
		}
	}
}

// invent makes the account of a number, always the same.
func invent(i int) (a fakehost.Account) {
	d := dice(i+1) * 0x9E3779B1
	if i%45 == 20 {
		a = organisation(line(firms, 1+i/45), &d)
	} else {
		a = person(strings.Fields(given)[i*17%43], strings.Fields(family)[i*29%41], &d)
	}
	a.StarredAt = day(5600).Add(time.Duration(i) * 37 * time.Hour)
	a.URL, a.Repos, a.Followers = site+a.Login, 1+d.roll(60), d.roll(30)*d.roll(30)*d.roll(30)/40
	a.CreatedAt = day(500 + d.roll(5000)).Add(time.Duration(d.roll(86400)) * time.Second)
	return a
}

func organisation(firm string, d *dice) (a fakehost.Account) {
	parts := strings.SplitN(firm, "|", 4)
	a.Login, a.Type, a.Name = parts[0], "Organization", parts[2]
	a.Blog, a.Location = "https://"+domain(firm), d.of(line(cities, int(parts[1][0]-'0')))
	if d.in(50) {
		a.Email = "hello@" + domain(firm)
	}
	return a
}

func person(first, last string, d *dice) (a fakehost.Account) {
	a.Name, a.Type = first+" "+last, "User"
	first, last = plain(first), plain(last)
	a.Login = d.of(first + "_" + last + "|" + last + "_" + first + "|" + first + "_" + last + "_dev")
	own := first + "-" + last + ".example"
	host, city := "mail.example", d.roll(10)
	switch {
	case d.in(8):
		a.Company = d.of(alone)
	case d.in(47):
		firm := line(firms, min(d.roll(8), d.roll(8))) // the first ones are the largest
		parts := strings.SplitN(firm, "|", 3)
		a.Company = d.of(parts[2])
		if d.in(60) {
			city = int(parts[1][0] - '0')
		}
		if d.in(60) {
			host = domain(firm)
		}
	}
	if d.in(80) {
		a.Location = d.of(line(cities, city))
	}
	if d.in(38) {
		a.Email = d.of(first + "." + last + "@" + host + "|" + first + "." + last + "@" + host + "|hi@" + own)
	}
	if d.in(35) {
		a.Blog = d.of("https://" + own + "|" + own + "|https://" + last + ".example.com/" + first)
	}
	if d.in(45) {
		a.Bio = d.of(bios)
	}
	return a
}

// plain is a name as logins and domains have it.
func plain(name string) string {
	const marked, bare = "áåąćéëıøš", "aaaceeios" // all marked letters have two bytes
	return strings.Map(func(r rune) rune {
		if at := strings.IndexRune(marked, r); at >= 0 {
			return rune(bare[at/2])
		}
		return r
	}, strings.ToLower(name))
}

// domain is where a firm's site and addresses are.
func domain(firm string) string {
	login, _, _ := strings.Cut(firm, "|")
	return strings.ReplaceAll(login, "_", "-") + ".example"
}
