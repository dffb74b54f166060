package text

import (
	"fmt"
	"strings"
	"time"
)

// Clock writes a time of day in the local time zone, with seconds if it is within
// ten minutes from now.
func Clock(t time.Time) string {
	if time.Until(t).Abs() < 10*time.Minute {
		return t.Local().Format("15:04:05")
	}
	return t.Local().Format("15:04")
}

// Duration writes a duration in words, rounded to minutes, at least one.
func Duration(d time.Duration) string {
	minutes := int(d.Round(time.Minute).Minutes())
	if minutes < 60 {
		return Count(max(minutes, 1), "minute")
	}
	return strings.TrimSuffix(Count(minutes/60, "hour")+" "+Count(minutes%60, "minute"), " 0 minutes")
}

// Countdown writes the time that is left like a clock: 4:05, or 1:04:05.
func Countdown(d time.Duration) string {
	s := max(int(d.Round(time.Second).Seconds()), 0)
	if s < 3600 {
		return fmt.Sprintf("%d:%02d", s/60, s%60)
	}
	return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
}
