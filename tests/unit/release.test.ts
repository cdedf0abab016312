import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'

const script = new URL('../../scripts/release.ts', import.meta.url).pathname
/** Comes with OpenSSH's client, which Git needs to sign with such keys. */
const hasKeygen = spawnSync('ssh-keygen', ['-?']).error === undefined
const changelog =
  '# Changelog\n\n## Unreleased\n\n### Readers\n- **Faster.** Pages load sooner.\n\n## 0.4.0\n\nOlder.\n'
const signers = 'deploy/release-signers'
let directory: string

const git = (...args: string[]) => execFileSync('git', args, { cwd: directory, encoding: 'utf8' }).trim()
const read = (file: string) => readFileSync(join(directory, file), 'utf8')
const write = (file: string, text: string) => writeFileSync(join(directory, file), text)

const release = (version: string) =>
  spawnSync(process.execPath, ['--disable-warning=ExperimentalWarning', script, version], {
    ...{ cwd: directory, encoding: 'utf8' },
    env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' },
  })

const createKey = (name: string) => {
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(directory, '.git', name)])
  return readFileSync(join(directory, '.git', `${name}.pub`), 'utf8').trim()
}

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'front-counter-release-'))
  git('init', '--quiet')
  for (const [name, value] of [
    ['user.name', 'Ada'],
    ['user.email', 'ada@example.test'],
    ['user.signingkey', join(directory, '.git', 'key')],
  ] as const)
    git('config', name, value)
  mkdirSync(join(directory, 'deploy'))
  write('package.json', '{ "name": "example", "version": "0.4.0" }\n')
  write('CHANGELOG.md', changelog)
  write(signers, hasKeygen ? `ada@example.test namespaces="git" ${createKey('key')}\n` : '')
  git('add', '.')
  git('commit', '--quiet', '--message', 'first')
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

test.skipIf(!hasKeygen)('a release has its notes in a signed tag, and leaves room for the next', () => {
  const { status, stdout, stderr } = release('0.5.0')
  expect({ status, stderr }).toMatchObject({ status: 0 })
  expect(stdout).toContain('git push --follow-tags')
  expect(JSON.parse(read('package.json'))).toMatchObject({ version: '0.5.0' })
  expect(read('CHANGELOG.md')).toContain('## Unreleased\n\n## 0.5.0\n\n### Readers')
  expect(git('status', '--porcelain')).toBe('')
  const tag = git('cat-file', 'tag', 'v0.5.0')
  expect(tag).toContain(
    'Front Counter 0.5.0\n\n### Readers\n- **Faster.** Pages load sooner.\n-----BEGIN SSH SIGNATURE',
  )
  expect(tag).not.toContain('Older.')
  git('-c', `gpg.ssh.allowedSignersFile=${signers}`, 'verify-tag', 'v0.5.0')
})

test.skipIf(!hasKeygen)('a key that isn’t listed releases nothing', () => {
  rmSync(join(directory, '.git', 'key'))
  createKey('key')
  expect(release('0.5.0')).toMatchObject({ status: 1, stdout: '' })
  expect(git('tag')).toBe('')
  expect(git('log', '--format=%s')).toBe('first')
  expect(read('CHANGELOG.md')).toBe(changelog)
})

test('a version that isn’t above the present one, uncommitted changes and an empty changelog are refused', () => {
  for (const version of ['', '0.4.0', '0.5.0-beta']) expect(release(version).stderr).toContain('version above 0.4.0')
  write('CHANGELOG.md', '# Changelog\n\n## Unreleased\n\n## 0.4.0\n\nOlder.\n')
  expect(release('0.10.0').stderr).toContain('Commit your changes first.')
  git('commit', '--quiet', '--all', '--message', 'second')
  expect(release('0.10.0').stderr).toContain('nothing under “Unreleased”')
  expect(git('tag')).toBe('')
})
