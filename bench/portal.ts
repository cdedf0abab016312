import { type Browser, type BrowserContext, chromium, type Page } from '@playwright/test'
import { ensureChromium, quietChromium } from '../scripts/chromium.ts'
import { builtServer } from '../scripts/prepare.mjs'
import { signIn, startProgram, temporaryDirectory } from './support/server.ts'
import { median, round } from './support/statistics.ts'

const runs = Number(process.argv[2] ?? 3)
/** Only paths that contain it. */
const wanted = process.argv[3] ?? ''

/** Lighthouse's "slow 4G". */
const slow4g = { offline: false, latency: 150, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8 }
const cpuSlowdown = 4
const settledMs = 1_500

const latestDrop = 'a-week-of-reviews'

/** Paths, and what the first piece of content is. */
const pages = {
  '/portal/weekly-drops': 'main h2 a[href^="/portal/weekly-drops/"]',
  [`/portal/weekly-drops/${latestDrop}`]: 'main article h2',
  '/portal/prompt-packs': 'main section h2',
  '/portal/guides': 'main li h2',
  '/portal/tools': 'main nav li a',
  '/account/profile': 'main h3',
  '/account/security': 'main h3',
} as const

type Visit = {
  contentMs: number
  usableMs: number
  requests: number
  later: number
  scripts: number
  scriptKb: number
  totalKb: number
  shift: number
}

/** Runs in the page before its own scripts. Notes when the browser has painted the content. */
const watchContent = (selector: string) => `{
  const state = (window.benchState = { contentMs: 0, usableMs: 0, shift: 0 })
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) state.shift += entry.value
  }).observe({ type: 'layout-shift', buffered: true })
  new PerformanceObserver((list) => {
    for (const { identifier, renderTime } of list.getEntries())
      for (const name of identifier.split(' ')) state[name] ||= renderTime
  }).observe({ type: 'element' })
  const note = (selector, namesOf) => {
    const observer = new MutationObserver(() => {
      const found = document.querySelector(selector)
      if (!found) return
      observer.disconnect()
      // Text is timed with the block that contains it.
      for (const element of [found, found.parentElement])
        element.setAttribute('elementtiming', namesOf(element.getAttribute('elementtiming')))
    })
    observer.observe(document, { childList: true, subtree: true, attributes: true, attributeFilter: ['hidden'] })
  }
  // A snapshot has the attribute of the visit before.
  note(${JSON.stringify(selector)}, () => 'contentMs')
  note(${JSON.stringify(`#root:not([hidden]) ${selector}`)}, (before) => before ? before + ' usableMs' : 'usableMs')
}`

async function visit(context: BrowserContext, url: string, selector: string, isSlow = true): Promise<Visit> {
  const page = await context.newPage()
  const traffic = await recordTraffic(page, isSlow)
  await page.addInitScript({ content: watchContent(selector) })
  await page.goto(url, { waitUntil: 'commit' })
  while (!(await page.evaluate('window.benchState?.usableMs'))) await page.waitForTimeout(100)
  await page.waitForLoadState('networkidle')
  await page.waitForTimeout(settledMs)
  await traffic.untilKept()
  const { contentMs, usableMs, shift } = await page.evaluate<Visit>('window.benchState')
  const shownAt = contentMs + (await page.evaluate<number>('performance.timeOrigin'))
  await page.close()
  const sent = traffic.requests.filter(({ isLocal }) => !isLocal)
  const needed = sent.filter(({ startedAt }) => startedAt < shownAt)
  const ofScripts = needed.filter(({ type }) => type === 'Script')
  const kilobytes = (list: typeof sent) => list.reduce((sum, { bytes }) => sum + bytes, 0) / 1000
  return {
    contentMs,
    usableMs,
    requests: needed.length,
    later: sent.length - needed.length,
    scripts: ofScripts.length,
    scriptKb: kilobytes(ofScripts),
    totalKb: kilobytes(needed),
    shift,
  }
}

/** Requests that the page made, with their bytes over the wire. `isLocal`: from the worker or the browser's cache. */
async function recordTraffic(page: Page, isSlow: boolean) {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  if (isSlow) {
    await session.send('Network.emulateNetworkConditions', slow4g)
    await session.send('Emulation.setCPUThrottlingRate', { rate: cpuSlowdown })
  }
  const requests: { id: string; type: string; bytes: number; startedAt: number; isLocal: boolean }[] = []
  session.on('Network.requestWillBeSent', ({ requestId, request, type = 'Other', wallTime }) => {
    if (request.url.startsWith('http')) {
      requests.push({ id: requestId, type, bytes: 0, startedAt: wallTime * 1000, isLocal: false })
    }
  })
  const find = (requestId: string) => requests.find(({ id }) => id === requestId)
  session.on('Network.responseReceived', ({ requestId, response }) => {
    const found = find(requestId)
    if (found) found.isLocal = Boolean(response.fromServiceWorker || response.fromDiskCache)
  })
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const found = find(requestId)
    if (found) found.bytes = encodedDataLength
  })
  return {
    requests,
    /** Waits, at full speed, until the worker has stored the app's files: a reader stays for longer than we do. */
    async untilKept() {
      await session.send('Emulation.setCPUThrottlingRate', { rate: 1 })
      await session.send('Network.emulateNetworkConditions', {
        ...slow4g,
        latency: 0,
        downloadThroughput: -1,
        uploadThroughput: -1,
      })
      await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)')
      await page.waitForLoadState('networkidle')
    },
  }
}

const phone = { viewport: { width: 412, height: 823 }, deviceScaleFactor: 2 }

/** A context with an empty cache in which a member is signed in. */
async function signedIn(browser: Browser, origin: string, session: string) {
  const localStorage = [{ name: 'sb-localhost-auth-token', value: session }]
  return browser.newContext({ ...phone, storageState: { cookies: [], origins: [{ origin, localStorage }] } })
}

const middle = (visits: readonly Visit[], name: keyof Visit, digits = 0) =>
  round(median(visits.map((one) => one[name])), digits)

const directory = temporaryDirectory()
const server = await startProgram(builtServer, { DATA_DIR: directory, DATABASE_URL: '' })
const origin = server.url.replace('127.0.0.1', 'localhost')
const browser = await chromium.launch({ executablePath: ensureChromium(), args: quietChromium })
try {
  const session = JSON.stringify(await signIn(origin, 'pro@frontcounter.test'))
  const rows = []
  for (const [path, selector] of Object.entries(pages).filter(([path]) => path.includes(wanted))) {
    const cold: Visit[] = []
    const again: Visit[] = []
    const atFullSpeed: Visit[] = []
    for (let run = 0; run < runs; run += 1) {
      const context = await signedIn(browser, origin, session)
      cold.push(await visit(context, origin + path, selector))
      again.push(await visit(context, origin + path, selector))
      atFullSpeed.push(await visit(context, origin + path, selector, false))
      await context.close()
    }
    rows.push({
      path: path.replace(latestDrop, '…'),
      'content ms': middle(cold, 'contentMs'),
      requests: middle(cold, 'requests'),
      'later requests': middle(cold, 'later'),
      scripts: middle(cold, 'scripts'),
      'script kB': middle(cold, 'scriptKb', 1),
      'total kB': middle(cold, 'totalKb', 1),
      shift: round(Math.max(...[...cold, ...again].map((one) => one.shift)), 4),
      'second visit ms': middle(again, 'contentMs'),
      usable: middle(again, 'usableMs'),
      'at full speed': middle(atFullSpeed, 'contentMs'),
      'usable at full speed': middle(atFullSpeed, 'usableMs'),
      'its requests': middle(again, 'requests'),
    })
  }
  console.table(rows)
} finally {
  await browser.close()
  await server.stop()
}
