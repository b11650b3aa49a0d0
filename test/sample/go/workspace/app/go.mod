module example.com/app

go 1.22

require (
	github.com/gorilla/websocket v1.4.0
	github.com/sirupsen/logrus v1.8.1
)
