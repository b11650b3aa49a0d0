module example.com/lib

go 1.22

require gopkg.in/yaml.v2 v2.2.2
