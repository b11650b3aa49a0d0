#!/usr/bin/env dotnet
#:package Newtonsoft.Json@12.0.3
#:package Serilog@3.1.1

Console.WriteLine("Hello");
