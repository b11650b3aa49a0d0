module example.com/sample

go 1.22

require (
	github.com/dgrijalva/jwt-go v3.2.0+incompatible
	github.com/gin-gonic/gin v1.8.1
	golang.org/x/crypto v0.14.0
	gopkg.in/yaml.v3 v3.0.1
)

require golang.org/x/text v0.3.7 // indirect
