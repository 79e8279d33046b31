package option

// Hooks returns the names of all hooks, sorted.
func Hooks() []string {
	names := make([]string, len(hookRows))
	for i := range hookRows {
		names[i] = hookRows[i].Name
	}
	return names
}

// IsHook tells whether commands can be hooked to a name.
func IsHook(name string) bool {
	r := Lookup(name)
	return r != nil && r.Hook
}
