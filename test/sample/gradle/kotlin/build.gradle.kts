plugins {
    `java-library`
}

val logback = "1.2.3"

dependencies {
    api(libs.guava)
    implementation(libs.jackson.databind)
    implementation(libs.slf4j.api)
    runtimeOnly("ch.qos.logback:logback-classic:$logback")
    testImplementation(testing.junit)
}
