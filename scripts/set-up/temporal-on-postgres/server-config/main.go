// Fills in a template of a server's configuration from the environment, as the program "dockerize" does in the images
// of Temporal: on stdin the template, on stdout the configuration.
package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"text/template"
)

func main() {
	if err := fillIn(os.Stdin, os.Stdout, environment()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func fillIn(from io.Reader, to io.Writer, env map[string]string) error {
	text, err := io.ReadAll(from)
	if err != nil {
		return err
	}
	functions := template.FuncMap{
		"default": firstGiven,
		"lower":   strings.ToLower,
		"split":   strings.Split,
		"trim":    strings.TrimSpace,
	}
	parsed, err := template.New("configuration").Funcs(functions).Parse(string(text))
	if err != nil {
		return err
	}
	return parsed.Execute(to, map[string]any{"Env": env})
}

// A variable that is not there is nil; one that is empty counts as given.
func firstGiven(value any, fallback string) (string, error) {
	switch given := value.(type) {
	case nil:
		return fallback, nil
	case string:
		return given, nil
	default:
		return "", fmt.Errorf("found %v, expected a variable of the environment", value)
	}
}

func environment() map[string]string {
	env := map[string]string{}
	for _, line := range os.Environ() {
		name, value, _ := strings.Cut(line, "=")
		env[name] = value
	}
	return env
}
