import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApp } from '#server/app.ts'
import { staticPages } from '#server/http/serve-client-build.ts'
import { publicationDefaults } from '#shared/publication-defaults.ts'
import { createTestApp, type TestApp } from '#tests/support/create-test-app.ts'

const files: Record<string, string> = {
  'index.html': '<html data-mode="__MODE__" data-trial-days="__TRIAL_DAYS__"><title>Landing</title>',
  'shell.html': '<html data-mode="__MODE__"><title>Shell</title><script>theme()</script><!--accent-->',
  'favicon.svg': '<svg/>',
  'about.txt': 'About',
  'assets/app-abc.js': 'console.log("plain")',
  'assets/app-abc.js.br': 'BR',
  'assets/app-abc.js.gz': 'GZ',
  'assets/app-abc.js.map': '{"sources":[]}',
  'assets/face.woff2': 'font',
  '.env': 'SECRET=1',
  '.vite/manifest.json': '{}',
}

let server: TestApp
let app: TestApp['app']
let parent: string
let directory: string
beforeAll(async () => {
  parent = mkdtempSync(join(tmpdir(), 'static-pages-'))
  directory = join(parent, 'client')
  mkdirSync(directory)
  for (const folder of ['assets', '.vite']) mkdirSync(join(directory, folder))
  for (const [file, text] of Object.entries(files)) writeFileSync(join(directory, file), text)
  writeFileSync(join(parent, 'outside.txt'), 'outside')
  server = await createTestApp()
  const { settings } = server.deps.config
  const pages = await staticPages({ directory, settings, mode: 'sandbox', trialDays: 14 })
  app = createApp({ ...server.deps, extraRoutes: [pages] })
})
afterAll(async () => {
  rmSync(parent, { recursive: true })
  await server.close()
})

const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  app.request(path, { method, headers: { Accept: 'text/html', ...headers } })

describe('pages', () => {
  test('the landing page is index.html with the mode and trial length, always revalidated', async () => {
    const answer = await get('/')
    expect(answer.status).toBe(200)
    expect(await answer.text()).toBe('<html data-mode="sandbox" data-trial-days="14"><title>Landing</title>')
    expect(answer.headers.get('Content-Type')).toBe('text/html; charset=utf-8')
    expect(answer.headers.get('Cache-Control')).toBe('no-cache')
    expect(answer.headers.get('Content-Security-Policy')).toContain("script-src 'self'")
  })

  test('the policy allows the script in the shell by its hash, and nothing else inline', async () => {
    const policy = (await get('/portal')).headers.get('Content-Security-Policy') ?? ''
    const hash = createHash('sha256').update('theme()').digest('base64')
    expect(policy).toContain(`script-src 'self' 'sha256-${hash}';`)
    expect((await get('/')).headers.get('Content-Security-Policy')).toContain("script-src 'self';")
  })

  test('the policy allows no script that a setting brought into the page', async () => {
    const { settings } = server.deps.config
    settings.replace({ publication: { ...publicationDefaults, accent: 'red}</style><script>alert(1)</script>' } })
    const answer = await get('/portal')
    settings.replace({ publication: publicationDefaults })
    const hash = createHash('sha256').update('alert(1)').digest('base64')
    expect(answer.headers.get('Content-Security-Policy')).not.toContain(hash)
  })

  test('client routes return the shell with 200', async () => {
    const paths = [
      '/auth',
      '/portal',
      '/portal/',
      '/portal/weekly-drops/some-slug',
      '/admin',
      '/account/preferences',
      '/billing/return?session_id=cs_1',
      '/checkout/pro_monthly',
      '/reset-password',
      '/team/join',
      '/unsubscribe',
    ]
    for (const path of paths) {
      const answer = await get(path, { Accept: '*/*' })
      expect([path, answer.status, await answer.text()]).toEqual([path, 200, expect.stringContaining('Shell')])
    }
  })

  test('any other path returns the shell with 404 for a browser and JSON for everything else', async () => {
    for (const path of [
      '/nowhere',
      '/portals',
      '/billing',
      '/index.html',
      '/shell.html',
      '/assets/gone.js',
      '/auth/v2',
    ]) {
      const page = await get(path)
      expect([path, page.status]).toEqual([path, 404])
      expect(await page.text()).toContain('Shell')
      const json = await get(path, { Accept: '*/*' })
      expect(json.status).toBe(404)
      expect(await json.json()).toMatchObject({ code: 'not_found' })
    }
  })

  test('API paths return JSON, whatever is accepted', async () => {
    for (const path of ['/auth/v1/x', '/rest/v1/x', '/functions/v1/x', '/webhooks/x', '/downloads/x', '/sandbox/x']) {
      const answer = await get(path)
      expect([path, answer.status]).toEqual([path, 404])
      expect(answer.headers.get('Content-Type')).toMatch(/^application\/json/)
    }
  })

  test('are compressed if the client accepts it, and return 304 if unchanged', async () => {
    const brotli = await get('/', { 'Accept-Encoding': 'gzip, br' })
    expect(brotli.headers.get('Content-Encoding')).toBe('br')
    expect(brotliDecompressSync(await brotli.arrayBuffer()).toString()).toContain('Landing')
    const gzip = await get('/', { 'Accept-Encoding': 'br;q=0, gzip;q=0.5' })
    expect(gzip.headers.get('Content-Encoding')).toBe('gzip')
    expect(gunzipSync(await gzip.arrayBuffer()).toString()).toContain('Landing')
    expect(gzip.headers.get('Vary')).toContain('Accept-Encoding')
    for (const known of [brotli, gzip]) {
      const again = await get('/', { 'If-None-Match': `W/${known.headers.get('ETag')}`, 'Accept-Encoding': 'br' })
      expect(again.status).toBe(304)
      expect(await again.text()).toBe('')
    }
    expect((await get('/', { 'If-None-Match': '"other"' })).status).toBe(200)
  })

  test('HEAD responds like GET, without the body', async () => {
    for (const [path, status] of [
      ['/', 200],
      ['/assets/app-abc.js', 200],
      ['/nowhere', 404],
    ] as const) {
      const [head, whole] = [await get(path, {}, 'HEAD'), await get(path)]
      expect(head.status).toBe(status)
      expect(await head.text()).toBe('')
      expect(head.headers.get('Content-Length')).toBe(whole.headers.get('Content-Length'))
    }
  })
})

describe('files', () => {
  test('hashed assets can be cached for a year, compressed at build time', async () => {
    const plain = await get('/assets/app-abc.js')
    expect(plain.headers.get('Cache-Control')).toBe('public, max-age=31536000, immutable')
    expect(plain.headers.get('Content-Type')).toBe('text/javascript; charset=utf-8')
    expect(await plain.text()).toBe('console.log("plain")')
    expect(await (await get('/assets/app-abc.js', { 'Accept-Encoding': 'br, gzip' })).text()).toBe('BR')
    expect(await (await get('/assets/app-abc.js', { 'Accept-Encoding': 'gzip' })).text()).toBe('GZ')
    expect((await get('/assets/face.woff2')).headers.get('Content-Type')).toBe('font/woff2')
  })

  test('scripts and fonts have no policy that only applies to pages; anything that can be a page has all of it', async () => {
    const ofPages = ['Content-Security-Policy', 'Permissions-Policy', 'X-Frame-Options', 'Cross-Origin-Opener-Policy']
    const carried = ({ headers }: Response) => ofPages.filter((name) => headers.has(name))
    for (const path of ['/assets/app-abc.js', '/assets/face.woff2']) {
      const answer = await get(path)
      expect([path, carried(answer)]).toEqual([path, []])
      expect(answer.headers.get('X-Content-Type-Options')).toBe('nosniff')
      expect(answer.headers.get('Cross-Origin-Resource-Policy')).toBe('same-origin')
      expect(answer.headers.get('ETag'), 'a file that never changes is never asked for again').toBeNull()
    }
    for (const path of ['/', '/auth', '/favicon.svg', '/about.txt', '/nowhere', '/assets/gone.js']) {
      expect([path, carried(await get(path))]).toEqual([path, ofPages])
    }
  })

  test('other public files are cached for minutes', async () => {
    const answer = await get('/about.txt')
    expect(answer.headers.get('Cache-Control')).toBe('public, max-age=300, must-revalidate')
    expect(await answer.text()).toBe('About')
  })

  test('dotfiles, source maps, compressed forms and anything outside are not served', async () => {
    const paths = [
      '/.env',
      '/.vite/manifest.json',
      '/assets/app-abc.js.map',
      '/assets/app-abc.js.br',
      '/assets',
      '/assets/',
    ]
    const outside = [
      '/../outside.txt',
      '/..%2foutside.txt',
      '/%2e%2e/outside.txt',
      '/assets/..%5c..%5coutside.txt',
      '//etc/passwd',
    ]
    for (const path of [...paths, ...outside]) {
      const answer = await app.request(`http://localhost${path}`)
      expect([path, answer.status]).toEqual([path, 404])
      expect(await answer.text()).not.toMatch(/outside|SECRET|sources|root:/)
    }
  })

  test('no path causes a server error', async () => {
    const piece = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('/', '..', '%', '%00', '%ff', '\\', '.', 'assets', '?'),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 6 }), fc.constantFrom('GET', 'HEAD'), async (parts, method) => {
        const answer = await app.request(`http://localhost/${parts.join('')}`, { method })
        expect(answer.status).toBeLessThan(500)
      }),
      { numRuns: 200 },
    )
  })
})

test('without a build the calls still work and pages are 404', async () => {
  const bare = createApp({
    ...server.deps,
    extraRoutes: [await staticPages({ directory: join(directory, 'none'), mode: 'production' })],
  })
  expect((await bare.request('/healthz')).status).toBe(200)
  expect((await bare.request('/', { headers: { Accept: 'text/html' } })).status).toBe(404)
})
