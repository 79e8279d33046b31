package format

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Strftime replaces the conversions of strftime(3), "%H:%M", in the C locale,
// those of glibc that GNU adds included. Unknown ones stay as they are.
func Strftime(layout string, t time.Time) string {
	var b strings.Builder
	for i := 0; i < len(layout); i++ {
		if layout[i] != '%' || i+1 == len(layout) {
			b.WriteByte(layout[i])
			continue
		}
		i++
		c := layout[i]
		if (c == 'E' || c == 'O') && i+1 < len(layout) {
			i++ // other forms of the locale; C has none
			c = layout[i]
		}
		s, ok := conversion(c, t)
		if !ok {
			s = "%" + string(c)
		}
		b.WriteString(s)
	}
	return b.String()
}

func conversion(c byte, t time.Time) (string, bool) {
	hour12 := (t.Hour()+11)%12 + 1
	switch c {
	case '%':
		return "%", true
	case 'n':
		return "\n", true
	case 't':
		return "\t", true
	case 'a':
		return t.Format("Mon"), true
	case 'A':
		return t.Format("Monday"), true
	case 'b', 'h':
		return t.Format("Jan"), true
	case 'B':
		return t.Format("January"), true
	case 'c':
		return t.Format("Mon Jan _2 15:04:05 2006"), true
	case 'C':
		return fmt.Sprintf("%02d", t.Year()/100), true
	case 'd':
		return t.Format("02"), true
	case 'D', 'x':
		return t.Format("01/02/06"), true
	case 'e':
		return t.Format("_2"), true
	case 'F':
		return t.Format("2006-01-02"), true
	case 'H':
		return t.Format("15"), true
	case 'I':
		return fmt.Sprintf("%02d", hour12), true
	case 'j':
		return fmt.Sprintf("%03d", t.YearDay()), true
	case 'k':
		return fmt.Sprintf("%2d", t.Hour()), true
	case 'l':
		return fmt.Sprintf("%2d", hour12), true
	case 'm':
		return t.Format("01"), true
	case 'M':
		return t.Format("04"), true
	case 'p':
		return t.Format("PM"), true
	case 'P':
		return t.Format("pm"), true
	case 'r':
		return t.Format("03:04:05 PM"), true
	case 'R':
		return t.Format("15:04"), true
	case 's':
		return strconv.FormatInt(t.Unix(), 10), true
	case 'S':
		return t.Format("05"), true
	case 'T', 'X':
		return t.Format("15:04:05"), true
	case 'y':
		return t.Format("06"), true
	case 'Y':
		return strconv.Itoa(t.Year()), true
	case 'z':
		return t.Format("-0700"), true
	case 'Z':
		return t.Format("MST"), true
	}
	return week(c, t)
}

// week is about days and weeks: u and w number the day; U and W count weeks
// from the first Sunday or Monday; V, G and g are ISO 8601's week and year.
func week(c byte, t time.Time) (string, bool) {
	day := int(t.Weekday())
	year, iso := t.ISOWeek()
	switch c {
	case 'u':
		return strconv.Itoa((day+6)%7 + 1), true
	case 'w':
		return strconv.Itoa(day), true
	case 'U':
		return fmt.Sprintf("%02d", (t.YearDay()+6-day)/7), true
	case 'W':
		return fmt.Sprintf("%02d", (t.YearDay()+6-(day+6)%7)/7), true
	case 'V':
		return fmt.Sprintf("%02d", iso), true
	case 'G':
		return strconv.Itoa(year), true
	case 'g':
		return fmt.Sprintf("%02d", year%100), true
	}
	return "", false
}

// time brings a variable that holds seconds since 1970 into a readable form;
// it is false when it holds none.
func (e *expander) time(f *variableForm, v string) (string, bool) {
	n, err := strconv.ParseInt(v, 10, 64)
	// Years beyond four digits are no times of anything here.
	if err != nil || n <= 0 || n > 253402300799 {
		return "", false
	}
	now := e.now()
	t := time.Unix(n, 0).In(now.Location())
	switch {
	case f.pretty:
		return prettyTime(t, now), true
	case f.timeFormat != "":
		return Strftime(f.timeFormat, t), true
	}
	return Strftime("%c", t), true
}

// prettyTime is short for times not long ago: the hour, the day, or the month.
func prettyTime(t, now time.Time) string {
	if now.Before(t) {
		now = t
	}
	age := now.Sub(t)
	sameYear := t.Year() == now.Year()
	switch {
	case age < 24*time.Hour:
		return t.Format("15:04")
	case sameYear && t.Month() == now.Month() || age < 28*24*time.Hour:
		return t.Format("Mon02")
	case sameYear && t.Month() < now.Month() || t.Year() == now.Year()-1 && t.Month() > now.Month():
		return t.Format("02Jan")
	}
	return t.Format("Jan06")
}
