import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { demoEmail, demoPassword } from '#server/seed/seed-demo-accounts.ts'
import { recordingPieceBytes } from '#shared/contracts/publishing/recordings.ts'
import { mp3 } from '../support/test-audio.ts'
import { signIn } from './support/api.ts'
import { debianVersion, installDebian, run } from './support/packages.ts'
import type { RealPart } from './support/part.ts'
import { startServer } from './support/server.ts'

const issueId = 'local-ad-reimbursement'

/** Uploads a recording of a drop in pieces, as the editor does. */
async function upload(url: string, file: Buffer) {
  const credentials = JSON.stringify({ email: demoEmail('admin'), password: demoPassword })
  const headers = { 'Content-Type': 'application/json' }
  const session = await fetch(`${url}/auth/v1/token?grant_type=password`, {
    method: 'POST',
    headers,
    body: credentials,
  })
  const { access_token } = (await session.json()) as { access_token: string }
  const whole = { id: crypto.randomUUID(), issueId, name: 'drop.mp3', bytes: String(file.length) }
  for (let piece = 0; piece * recordingPieceBytes < file.length; piece += 1) {
    const answer = await fetch(
      `${url}/functions/v1/admin-upload-recording?${new URLSearchParams({ ...whole, piece: String(piece) })}`,
      {
        method: 'POST',
        headers: { Authorization: `Bearer ${access_token}` },
        body: file.subarray(piece * recordingPieceBytes, (piece + 1) * recordingPieceBytes),
      },
    )
    assert.equal(answer.status, 200, await answer.text())
  }
}

const readMp3 = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.mp3'))
    .map((name) => readFileSync(join(folder, name)))

/** Runs commands of gPodder. @returns the recordings that it has downloaded so far */
async function listenWithGpodder(home: string, ...commands: string[][]) {
  mkdirSync(home, { recursive: true })
  const env = { GPODDER_HOME: home, GPODDER_DOWNLOAD_DIR: join(home, 'downloads'), HOME: home }
  for (const command of commands) await run('gpo', command, { env })
  return readMp3(home)
}

async function listenWithPodget(home: string, feed: string) {
  mkdirSync(home, { recursive: true })
  const podget = (...args: string[]) => run('podget', ['--dir_config', home, ...args], { env: { HOME: home } })
  await podget('--create-config', 'podgetrc')
  writeFileSync(join(home, 'serverlist'), `${feed} Drops Drops\n`)
  await podget()
  return readMp3(home)
}

export default {
  name: 'podcasts',
  async install() {
    installDebian('gpodder', 'podget')
  },
  async run(checks) {
    checks.note(`gPodder ${debianVersion('gpodder')}, podget ${debianVersion('podget')}`)
    const directory = mkdtempSync(join(tmpdir(), 'front-counter-podcasts-'))
    const server = await startServer()
    try {
      const file = mp3(1_500)
      await upload(server.url, file)
      const member = await signIn(server.url, 'pro')
      const { url } = await member<{ url: string }>('podcast')
      const home = join(directory, 'gpodder')
      await checks.check('gPodder subscribes to the private feed and downloads the recording', async () => {
        const recordings = await listenWithGpodder(home, ['subscribe', url], ['update'], ['download'])
        assert.equal(recordings.length, 1)
        assert.ok(recordings[0]?.equals(file))
      })
      await checks.check('podget downloads the same', async () => {
        const recordings = await listenWithPodget(join(directory, 'podget'), url)
        assert.equal(recordings.length, 1)
        assert.ok(recordings[0]?.equals(file))
      })
      await checks.check('A replaced address ends in gPodder', async () => {
        await upload(server.url, mp3(1_600))
        await member('member-feed', { replace: true })
        const recordings = await listenWithGpodder(home, ['update'], ['download'])
        assert.ok(recordings.length === 1 && recordings[0]?.equals(file))
      })
    } finally {
      await server.stop()
      rmSync(directory, { recursive: true, force: true })
    }
  },
} satisfies RealPart
