package command

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"stet/resurrect"
	"stet/vt/width"
)

// reportOrder is from what wants somebody to what does not.
var reportOrder = []string{"failed", "waiting", "restored", "resumed", "reattached"}

// ReportSummary is one line: how many panes there are, and how they came back.
func ReportSummary(rows []ReportRow) string {
	head := resurrect.Plural(len(rows), "pane")
	var parts []string
	for _, state := range slices.Backward(reportOrder) {
		n := 0
		for _, r := range rows {
			if r.State == state {
				n++
			}
		}
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, state))
		}
	}
	if len(parts) == 0 {
		return head
	}
	return head + ": " + strings.Join(parts, ", ")
}

// reportColumns are the columns of a report but for the last, as wide as what stands in them.
func reportColumns(rows []ReportRow) [][]string {
	var table [][]string
	var widths [4]int
	for _, r := range rows {
		saved := ""
		if !r.SavedAt.IsZero() {
			saved = "saved " + r.SavedAt.Local().Format(time.DateTime)
		}
		line := []string{r.Pane, fmt.Sprintf("%s:%d", cutColumns(width.Printable(r.Session), maxNameShown), r.Window), r.State, saved}
		if r.Session == "" {
			line[1] = "closed"
		}
		for i, c := range line {
			line[i] = width.Printable(c)
			widths[i] = max(widths[i], width.String(line[i]))
		}
		table = append(table, line)
	}
	for _, line := range table {
		for i, c := range line {
			line[i] = c + strings.Repeat(" ", widths[i]-width.String(c))
		}
	}
	return table
}

// maxNameShown bounds a session's name in a report, in columns: it may have hundreds of characters.
const maxNameShown = 40

// cutColumns ends a text with "…" where it is wider than so many columns.
func cutColumns(text string, columns int) string {
	if width.String(text) <= columns {
		return text
	}
	end, used := 0, 1
	for end < len(text) {
		n, w := width.Cluster(text[end:])
		if n == 0 || used+w > columns {
			break
		}
		end, used = end+n, used+w
	}
	return text[:end] + "…"
}

// reportLines is the report with a line for each pane.
func reportLines(rows []ReportRow) []string {
	var out []string
	for i, columns := range reportColumns(rows) {
		line := strings.Join(columns, "  ")
		if r := rows[i]; r.Reason != "" || r.Next != "" {
			line += "  " + width.Printable(r.Reason)
			if r.Next != "" {
				line += " (" + width.Printable(r.Next) + ")"
			}
		}
		out = append(out, strings.TrimRight(line, " "))
	}
	return out
}

// ReportView is the report as a person reads it on a screen of cols columns: what wants somebody first, and
// nothing cut off. savedAt is when most of it was saved.
func ReportView(rows []ReportRow, notes []string, savedAt time.Time, cols int) []string {
	rows = slices.Clone(rows)
	slices.SortStableFunc(rows, func(a, b ReportRow) int {
		return slices.Index(reportOrder, a.State) - slices.Index(reportOrder, b.State)
	})
	out := append(wrap(ReportSummary(rows), cols), "")
	for i, columns := range reportColumns(rows) {
		head := strings.Join(columns[:3], "  ") + "  "
		room := cols - width.String(head)
		if room < 24 { // then below
			out = append(out, strings.TrimRight(strings.Join(columns, "  "), " "))
			head, room = "    ", cols-4
		}
		var what []string
		if r := rows[i]; r.Reason != "" {
			what = append(what, wrap(width.Printable(r.Reason), room)...)
		}
		if r := rows[i]; r.Next != "" {
			what = append(what, wrap("to do: "+width.Printable(r.Next), room)...)
		}
		if at := rows[i].SavedAt; !at.IsZero() && head != "    " && at.Sub(savedAt).Abs() > time.Minute { // else all are of one moment
			what = append(what, "saved "+at.Local().Format(time.DateTime))
		}
		for j, l := range what {
			if j > 0 {
				head = strings.Repeat(" ", width.String(head))
			}
			out = append(out, head+l)
		}
		if len(what) == 0 {
			out = append(out, strings.TrimRight(head, " "))
		}
	}
	for _, n := range notes {
		out = append(out, wrap("note: "+width.Printable(n), cols)...)
	}
	return out
}

// wrap breaks a text into lines of at most cols columns, between words where there is one.
func wrap(text string, cols int) []string {
	cols = max(cols, 8)
	var out []string
	line := ""
	for _, word := range strings.Fields(text) {
		for width.String(line)+1+width.String(word) > cols {
			if line != "" {
				out, line = append(out, line), ""
				continue
			}
			if width.String(word) <= cols {
				break
			}
			n := 0 // bytes of the word that have room
			for i, r := range word {
				if width.String(word[:i+len(string(r))]) > cols {
					break
				}
				n = i + len(string(r))
			}
			n = max(n, 1)
			out, word = append(out, word[:n]), word[n:]
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	return append(out, line)
}

func report(c *Context) error {
	all := c.Host.Report()
	if c.Args.Has("json") {
		if all == nil {
			all = []ReportRow{}
		}
		return c.printJSON(all)
	}
	if len(all) == 0 {
		c.Print("nothing was restored: every pane was made in this run")
	} else {
		c.Print(ReportSummary(all))
	}
	for _, line := range reportLines(all) {
		c.Print(line)
	}
	for _, n := range c.Host.Notes() {
		c.Print("note: " + n)
	}
	return nil
}
