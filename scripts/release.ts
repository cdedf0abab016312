/**
 * `npm run release -- 0.5.0`: turns the changelog's “Unreleased” into a version, and commits and tags it. The tag holds
 * the release notes and is signed with the SSH key of `git config user.signingkey`, which deploy/release-signers must list.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'

const signing = ['-c', 'gpg.format=ssh', '-c', 'gpg.ssh.allowedSignersFile=deploy/release-signers']

const git = (args: readonly string[], input = '') =>
  execFileSync('git', [...signing, ...args], { encoding: 'utf8', input, stdio: ['pipe', 'pipe', 'inherit'] }).trim()

const isAbove = (version: string, current: string) =>
  version.localeCompare(current, 'en', { numeric: true }) > 0 && /^\d+\.\d+\.\d+$/.test(version)

/** @throws if a precondition is missing or the signature isn't valid; then nothing has changed */
function release(version: string) {
  const { version: current } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
  if (!isAbove(version, current)) throw new Error(`Usage: npm run release -- <version above ${current}>`)
  if (git(['status', '--porcelain']) !== '') throw new Error('Commit your changes first.')
  const changelog = readFileSync('CHANGELOG.md', 'utf8')
  const notes = changelog
    .split(/^## Unreleased$/m)[1]
    ?.split(/^## /m)[0]
    ?.trim()
  if (!notes) throw new Error('The changelog has nothing under “Unreleased”.')

  const tag = `v${version}`
  if (git(['tag', '--list', tag])) throw new Error(`There is a tag ${tag} already.`)
  const before = git(['rev-parse', 'HEAD'])
  try {
    writeFileSync('CHANGELOG.md', changelog.replace('## Unreleased\n', `## Unreleased\n\n## ${version}\n`))
    execFileSync('npm', ['version', version, '--no-git-tag-version', '--ignore-scripts'], { stdio: 'ignore' })
    git(['commit', '--quiet', '--all', `--message=chore(release): ${version}`])
    git(['tag', '--sign', '--cleanup=verbatim', '--file=-', tag], `Front Counter ${version}\n\n${notes}\n`)
    git(['verify-tag', tag])
  } catch (cause) {
    if (git(['tag', '--list', tag])) git(['tag', '--delete', tag])
    git(['reset', '--quiet', '--hard', before])
    throw new Error('Nothing was released.', { cause })
  }
  console.log(`${tag} is committed and signed. Publish it: git push --follow-tags`)
}

try {
  release(process.argv[2] ?? '')
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
