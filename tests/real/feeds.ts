import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { signIn } from './support/api.ts'
import { debianVersion, installDebian, run } from './support/packages.ts'
import type { RealPart } from './support/part.ts'
import { startServer } from './support/server.ts'

type Entry = { title: string; link: string; content: string }

/** Entries as newsboat stores them. */
async function readWithNewsboat(directory: string, url: string): Promise<Entry[]> {
  const path = (name: string) => join(directory, name)
  writeFileSync(path('urls'), url)
  writeFileSync(path('config'), '')
  rmSync(path('cache.db'), { force: true })
  await run('newsboat', ['-u', path('urls'), '-c', path('cache.db'), '-C', path('config'), '-x', 'reload'], {
    env: { HOME: directory },
  })
  const cache = new DatabaseSync(path('cache.db'))
  const rows = cache.prepare('select title, url as link, content from rss_item order by pubDate desc').all() as Entry[]
  cache.close()
  return rows
}

/** Entries as sfeed prints them: time, title, link, content, … separated by tabs. */
async function readWithSfeed(feed: string): Promise<Entry[]> {
  const lines = (await run('sfeed', [], { input: feed })).trim().split('\n')
  return lines.map((line) => {
    const [, title = '', link = '', content = ''] = line.split('\t')
    return { title, link, content }
  })
}

export default {
  name: 'feeds',
  async install() {
    installDebian('newsboat', 'sfeed')
  },
  async run(checks) {
    checks.note(`newsboat ${debianVersion('newsboat')}, sfeed ${debianVersion('sfeed')}`)
    const directory = mkdtempSync(join(tmpdir(), 'front-counter-feeds-'))
    const server = await startServer()
    try {
      const own = await (await signIn(server.url, 'pro'))<{ url: string }>('member-feed')
      const entries = new Map<string, Entry[]>()
      for (const [name, url] of [
        ['public', `${server.url}/feed.xml`],
        ['private', own.url],
      ] as const) {
        await checks.check(`newsboat and sfeed read the ${name} feed alike`, async () => {
          const feed = await (await fetch(url)).text()
          const [newsboat, sfeed] = [await readWithNewsboat(directory, url), await readWithSfeed(feed)]
          assert.ok(newsboat.length > 2)
          for (const [index, entry] of newsboat.entries()) {
            assert.doesNotMatch(`${entry.title} ${sfeed[index]?.title}`, /&\w+;|</)
            assert.equal(sfeed[index]?.title, entry.title)
            assert.equal(sfeed[index]?.link, entry.link)
            assert.ok(entry.link.startsWith(`${server.url}/`), entry.link)
            assert.match(entry.content, /<p>/)
          }
          const { items } = (await (await fetch(`${server.url}/feed.json`)).json()) as { items: { title: string }[] }
          assert.deepEqual(newsboat.map(({ title }) => title).sort(), items.map(({ title }) => title).sort())
          entries.set(name, newsboat)
        })
      }
      await checks.check('The private feed has the closed sections, the public one doesn’t', () => {
        const lengthOf = (name: string) => entries.get(name)?.reduce((sum, { content }) => sum + content.length, 0) ?? 0
        assert.ok(lengthOf('private') > lengthOf('public') * 1.5, `${lengthOf('private')} and ${lengthOf('public')}`)
      })
      await checks.check('A replaced private feed ends', async () => {
        await (await signIn(server.url, 'pro'))('member-feed', { replace: true })
        assert.deepEqual(await readWithNewsboat(directory, own.url), [])
      })
    } finally {
      await server.stop()
      rmSync(directory, { recursive: true, force: true })
    }
  },
} satisfies RealPart
