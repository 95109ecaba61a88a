import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { findOnPath, isExecutable } from './executable.mjs'
import { cachePath } from './places.mjs'
import { runStep } from './run-step.mjs'
import { downloadFailedLately, downloadThroughSdk, sdkDownloadPath } from './sdk-download.mjs'
import { SetUpError } from './set-up-error.mjs'
import { withLock } from './with-lock.mjs'

/** Of Maven artifact `io.temporal:temporal-test-server`; needs Java 8 or newer. */
const JAR_VERSION = '1.35.0'

/**
 * Temporal's test server, whose clock jumps over waits: in our cache, downloaded by the SDK, or from Maven.
 * @returns {Promise<string>} its path; the first argument it takes is the port.
 * @throws {SetUpError} saying what to install.
 */
export async function obtainTimeSkippingServer() {
  const lockPath = cachePath('locks', 'time-skipping-server.lock')
  return findInCache() ?? (await withLock(lockPath, obtain))
}

async function obtain() {
  const cached = findInCache()
  if (cached !== undefined) return cached
  const maven = findOnPath('java') === undefined ? undefined : findOnPath('mvn')
  if (maven === undefined || !downloadFailedLately()) {
    const path = await downloadThroughSdk(
      'time-skipping',
      'downloading the time-skipping test server, once',
    )
    if (path !== undefined) return path
  }
  if (maven !== undefined) return copyFromMaven(maven)
  throw new SetUpError(
    'There is no time-skipping test server: it could not be downloaded, and there are no Java and Maven to get it another way.',
    [
      'One of these two is enough; then run the tests again:',
      '  1. give this machine access to the network, so that the Temporal SDK can download it',
      '  2. install Java and Maven (packages default-jre-headless and maven)',
    ].join('\n'),
  )
}

function findInCache() {
  return [sdkDownloadPath('time-skipping'), mavenPath()].find(isExecutable)
}

/** @param {string} maven */
async function copyFromMaven(maven) {
  const target = mavenPath()
  const folder = `${dirname(target)}.new` // ours alone: we hold the lock
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  try {
    writeFileSync(join(folder, 'pom.xml'), pom)
    await runStep(
      'fetching the time-skipping test server with Maven, once',
      maven,
      ['-B', '-q', '-ntp', 'dependency:copy-dependencies', '-DoutputDirectory=jars'],
      {
        cwd: folder,
        hint: 'Check that Maven can download artifacts, then run the tests again.',
      },
    )
    writeFileSync(join(folder, 'time-skipping'), launcher, { mode: 0o755 })
    rmSync(dirname(target), { recursive: true, force: true })
    renameSync(folder, dirname(target))
    return target
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function mavenPath() {
  return cachePath(`time-skipping-java-${JAR_VERSION}-locked`, 'time-skipping')
}

const pom = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>record-linker</groupId><artifactId>time-skipping</artifactId><version>1</version>
  <packaging>pom</packaging>
  <dependencies>
    <dependency>
      <groupId>io.temporal</groupId><artifactId>temporal-test-server</artifactId>
      <version>${JAR_VERSION}</version>
    </dependency>
  </dependencies>
</project>
`

// Without --enable-time-skipping: the SDK's client unlocks the clock while it awaits a result and locks it again, and a
// clock unlocked from the start would be unlocked once too often, in the middle of a running task.
// Half of the start is the JVM's just-in-time compiler; a short-lived server does better with the first tier.
const launcher = `#!/bin/sh
exec java -XX:TieredStopAtLevel=1 -cp "$(dirname "$0")/jars/*" \\
  io.temporal.testserver.TestServer "$1"
`
