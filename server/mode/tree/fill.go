package tree

import "strings"

// fill puts a target into a template, as command-prompt does with what was typed. A target is one word
// there, whatever a name has in it and in whatever quotes the template has it.
func fill(template, target string) string {
	var b strings.Builder
	var quote byte
	for i := 0; i < len(template); i++ {
		ch := template[i]
		switch {
		case ch == '%' && i+1 < len(template) && (template[i+1] == '%' || template[i+1] == '1'):
			b.WriteString(within(quote, target))
			i++
			continue
		case ch == '\\' && quote != '\'' && i+1 < len(template):
			b.WriteByte(ch)
			i++
			ch = template[i]
		case ch == quote:
			quote = 0
		case quote == 0 && (ch == '\'' || ch == '"'):
			quote = ch
		}
		b.WriteByte(ch)
	}
	return b.String()
}

// within is a text as it stands in quotes of a kind; 0 is none.
func within(quote byte, text string) string {
	switch {
	case quote == '\'':
		return strings.ReplaceAll(text, "'", `'\''`)
	case quote == '"':
		return strings.NewReplacer(`\`, `\\`, `"`, `\"`, "$", `\$`).Replace(text)
	case strings.ContainsAny(text, " \t\n'\"\\;$#{}~"):
		return "'" + within('\'', text) + "'"
	}
	return text
}
