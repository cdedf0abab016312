import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import type { Bookmark } from '#shared/contracts/publishing/publishing-library.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { openAdmin } from './support.ts'

const desk = openForTests(async () => {
  const admin = await openAdmin({ config: { webhooksAllowLoopback: true } })
  return { ...admin, close: () => admin.server.close() }
})

const picture = sharp({ create: { width: 1_200, height: 630, channels: 3, background: '#2f5d50' } })
  .jpeg()
  .withExifMerge({ IFD0: { Make: 'SecretCamera' } })
  .toBuffer()

const pages: Record<string, string> = {
  '/facts': `<!doctype html><html><head><title>Own title</title><script>var a = "<title>no</title>"</script>
    <meta property="og:title" content="Labor law &amp; you: 5 > 4"><meta name="description" content="Second">
    <meta content='What   changes
    in March' property='og:description'><meta property="og:image" content="/photo.jpg"></head>`,
  '/plain': '<TITLE lang=en>Fees &#8211; a list</TITLE><p>Text',
  '/untitled': '<h1>Nothing to tell</h1>',
  '/script-picture': '<title>A</title><meta property="og:image" content="/untitled">',
  '/inside-picture': '<title>A</title><meta property="og:image" content="http://169.254.169.254/a.png">',
  '/long': `<title>${'a'.repeat(900)}</title><meta name="description" content="${'b '.repeat(900)}">`,
}

const web = openForTests(async () => {
  const asked: string[] = []
  const server = createServer(async ({ url = '' }, response) => {
    asked.push(url)
    const html = { 'Content-Type': 'text/html; charset=utf-8' }
    if (url === '/photo.jpg') return response.end(await picture)
    if (url === '/loop') return response.writeHead(302, { Location: '/loop' }).end()
    if (url === '/inside') return response.writeHead(302, { Location: 'http://10.0.0.1/' }).end()
    if (url === '/file.pdf') return response.writeHead(200, { 'Content-Type': 'application/pdf' }).end('%PDF-1.7')
    if (url === '/latin') {
      const text = Buffer.from('<meta charset="iso-8859-1"><title>Caf\xe9</title>', 'latin1')
      return response.writeHead(200, { 'Content-Type': 'text/html' }).end(text)
    }
    if (url === '/endless') {
      response.writeHead(200, html).write('<title>Endless</title>')
      return Readable.from(endless()).pipe(response)
    }
    const page = pages[url]
    return page === undefined ? response.writeHead(404).end() : response.writeHead(200, html).end(page)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const close = async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  return { asked, close, url: (path: string) => `http://127.0.0.1:${port}${path}` }
})

async function* endless() {
  for (;;) yield Buffer.from('<meta name="a" content="b">'.repeat(1_000))
}

const read = (path: string) => desk.get<Bookmark>('admin-read-bookmark', { address: web.url(path) })

test('a bookmark has the title, line and picture that a page names, and the picture is encoded again', async () => {
  const { title, line, image } = await read('/facts')
  expect([title, line]).toEqual(['Labor law & you: 5 > 4', 'What changes in March'])
  expect(image).toMatchObject({ width: 800, height: 420, originalName: 'photo.jpg' })
  const shown = await desk.server.request(String(image?.path))
  expect(Buffer.from(await shown.arrayBuffer()).includes('SecretCamera')).toBe(false)
})

test('reading a page twice, as two tabs do, stores its picture once', async () => {
  const [one, other] = await Promise.all([read('/facts'), read('/facts')])
  expect(one.image?.hash).toBe(other.image?.hash)
})

test('a page says what it can: its own title, letters of older encodings, nothing at all', async () => {
  expect(await read('/plain')).toEqual({ title: 'Fees – a list', line: '', image: null })
  expect((await read('/latin')).title).toBe('Café')
  expect(await read('/untitled')).toEqual({ title: '', line: '', image: null })
  const long = await read('/long')
  expect([long.title.length, long.line.length]).toEqual([200, 300])
})

test('a picture that isn’t one, or is at an inside address, is left out', async () => {
  expect(await read('/script-picture')).toMatchObject({ title: 'A', image: null })
  expect(await read('/inside-picture')).toMatchObject({ title: 'A', image: null })
})

test('of a page that never ends, the beginning is read', { timeout: 20_000 }, async () => {
  expect((await read('/endless')).title).toBe('Endless')
})

test.each([
  ['/inside', 'the address points to a private network'],
  ['/loop', 'it redirects too often'],
  ['/file.pdf', 'it isn’t a web page'],
  ['/missing', 'the server responded with 404'],
])('%s can’t be read, and the editor enters the title', async (path, reason) => {
  const { status, body } = await desk.ask('admin-read-bookmark', { address: web.url(path) })
  expect([status, body.error]).toEqual([400, `This page can’t be read: ${reason}. Enter its title yourself.`])
})

test.each([
  'http://192.168.0.1/',
  'http://[::ffff:10.0.0.1]/',
  'http://localtest.invalid:99999/',
  'file:///etc/passwd',
  'javascript:alert(1)',
  '',
])('%j isn’t asked', async (address) => {
  expect((await desk.ask('admin-read-bookmark', { address })).status).toBe(400)
})

test('readers can’t have pages read', async () => {
  const before = web.asked.length
  const { status } = await desk.ask('admin-read-bookmark', { address: web.url('/plain') }, desk.reader)
  expect([status, web.asked.length]).toEqual([403, before])
})
