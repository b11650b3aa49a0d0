rootProject.name = "shop"

dependencyResolutionManagement {
    versionCatalogs {
        create("libs") { library("lang", "org.apache.commons:commons-lang3:3.12.0") }
        create("testing") { from(files("gradle/testing.versions.toml")) }
    }
}
