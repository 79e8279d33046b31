package option

// The largest number tmux takes where nothing else bounds an option.
const maxNumber = 1<<31 - 1

var (
	alerts     = []string{"none", "any", "current", "other"}
	visual     = []string{"off", "on", "both"}
	lineStyles = []string{"single", "double", "heavy", "simple", "number"}
)
