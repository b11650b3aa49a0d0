// Asks the client library that the vendor of the lookup service has published.
//
//	program URL    reads a JSON list of addresses a line, and writes a list of their threats a line
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"time"

	"github.com/google/safebrowsing"
)

func main() {
	client, err := safebrowsing.NewSafeBrowser(safebrowsing.Config{
		APIKey:       "opensesame",
		ServerURL:    os.Args[1],
		UpdatePeriod: time.Second,
		Logger:       os.Stderr,
	})
	if err != nil {
		panic(err)
	}
	if err := client.WaitUntilReady(context.Background()); err != nil {
		panic(err)
	}
	input := bufio.NewScanner(os.Stdin)
	for input.Scan() {
		var urls []string
		if err := json.Unmarshal(input.Bytes(), &urls); err != nil {
			panic(err)
		}
		answers := []string{}
		for _, url := range urls {
			threats, err := client.LookupURLs([]string{url})
			answer := "none"
			if err != nil {
				answer = "failed"
			} else if len(threats[0]) > 0 {
				answer = threats[0][0].ThreatType.String()
			}
			answers = append(answers, answer)
		}
		line, _ := json.Marshal(answers)
		fmt.Println(string(line))
	}
}
