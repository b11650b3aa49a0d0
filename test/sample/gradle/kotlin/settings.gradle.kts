rootProject.name = "shop"

dependencyResolutionManagement {
    versionCatalogs {
        create("testing") { from(files("gradle/testing.versions.toml")) }
    }
}
