import { deepEqual, equal, ok } from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { Browser } from './browser.ts'
import type { Checks } from './part.ts'
import { type RealServer, startServer } from './server.ts'
import type { Engine } from './web-driver.ts'

type Journey = (browser: Browser, server: RealServer) => Promise<void>

const email = 'a.reader@example.com'
const password = 'a quiet corner table'
const isComplete = `return !!document.querySelector('main h1') && !document.querySelector('main [aria-busy=true]')`

async function signIn(browser: Browser, email: string, password: string) {
  await browser.open('/auth')
  await browser.script('localStorage.clear()')
  await browser.open('/auth')
  await browser.fill('Email', email)
  await browser.fill('Password', password)
  await browser.click('button', 'Sign In')
  await browser.isAt(/^\/portal/)
}

/** Pages of the admin with a fixed address. */
const adminPaths = [
  ...readFileSync('src/client/app/routes/admin/admin-routes.tsx', 'utf8').matchAll(/ path: '([\w/-]+)'/g),
].map(([, path]) => `/admin/${path}`)

/** In this order: each goes on where the one before ended. */
const journeys: [title: string, journey: Journey][] = [
  [
    'The first page of a visit asks for each font once',
    async (browser) => {
      await browser.open('/auth')
      await browser.has('button', 'Sign In')
      const fonts =
        (await browser.script(`return document.fonts.ready.then(() => performance.getEntriesByType('resource')
        .map(({ name }) => name).filter((name) => name.endsWith('.woff2')))`)) as string[]
      ok(fonts.length >= 2, 'the fonts were loaded')
      deepEqual(fonts, [...new Set(fonts)])
    },
  ],
  [
    'The landing page shows the plans, and its buttons work',
    async (browser) => {
      await browser.open('/')
      await browser.has('heading', 'Choose Your Plan')
      await browser.script(
        'addEventListener("securitypolicyviolation", (event) => (window.refused = event.blockedURI + event.violatedDirective))',
      )
      await browser.click('link', 'Sign In')
      await browser.isAt(/^\/auth/)
      await browser.has('button', 'Sign In')
      equal((await browser.script('return window.refused')) ?? '', '', 'refused by the content security policy')
      await browser.back()
      await browser.isAt(/^\/$/)
      await browser.has('button', 'Get Started')
    },
  ],
  [
    'A reader signs up',
    async (browser) => {
      await browser.open('/auth?mode=sign-up')
      await browser.fill('Email', email)
      await browser.fill('Password', password)
      await browser.click('button', 'Sign Up')
      await browser.sees('Step 1 of 3')
    },
  ],
  [
    'The questions are answered, the portal takes up what was left, and the plans follow',
    async (browser) => {
      await browser.click('choice', /^Operations/)
      await browser.click('button', 'Continue')
      await browser.click('choice', /^Beginner/)
      await browser.click('button', 'Continue')
      await browser.sees('Step 3 of 3')
      await browser.open('/portal')
      await browser.sees('Step 3 of 3')
      await browser.click('button', 'Finish')
      await browser.sees('Welcome! Your preferences have been saved.')
      await browser.isAt(/#pricing$/)
    },
  ],
  [
    'The plan is paid in the sandbox, which leads to the portal',
    async (browser) => {
      await browser.click('button', 'Get Started')
      await browser.fill('Card number', '4242424242424242')
      await browser.fill('Expiry', '1234')
      await browser.fill('CVC', '123')
      await browser.click('button', /^Pay/)
      await browser.isAt(/^\/portal\/weekly-drops$/)
    },
  ],
  [
    'Every tab of the portal opens by its link and after a reload',
    async (browser) => {
      for (const name of ['Prompt Packs', 'Guides', 'Tools', 'Weekly Drops']) {
        await browser.click('link', name)
        const heading = new RegExp(`^${name.replace(/s$/, '')}`)
        await browser.has('heading', heading)
        await browser.reload()
        await browser.has('heading', heading)
        await browser.until(`${name} is complete`, () => browser.script(isComplete))
      }
    },
  ],
  [
    'A drop opens, is saved and stays saved after a reload',
    async (browser) => {
      await browser.open('/portal/weekly-drops')
      await browser.click('link', /Find ten minutes in your close/)
      await browser.isAt(/^\/portal\/weekly-drops\/./)
      await browser.click('button', /^Save/)
      await browser.has('button', /^Saved/)
      await browser.reload()
      await browser.has('button', /^Saved/)
    },
  ],
  [
    'Search finds a prompt',
    async (browser) => {
      await browser.click('button', 'Search')
      await browser.fill('Search the portal', 'catering')
      // The results move what is below them.
      await browser.has('link', /First catering email/)
      await browser.click('link', 'See all results and filters')
      await browser.isAt(/^\/portal\/search\?q=catering/)
      await browser.has('link', /First catering email/)
    },
  ],
  [
    'Without a connection the portal opens from the device, and a page that isn’t stored says so',
    async (browser, server) => {
      await browser.open('/portal/weekly-drops')
      await browser.until('Offline reading', () =>
        browser.script(`return navigator.serviceWorker.getRegistration().then((worker) =>
          worker?.active?.state === 'activated' && localStorage.getItem('front-counter:offline-library') === 'stored')`),
      )
      await server.cutLine()
      try {
        await browser.open('/portal/guides')
        await browser.has('heading', /^Guides/)
        // Only some browsers notice that there is no network.
        await browser.sees('This is from')
        await browser.open('/account/billing')
        await browser.sees('You’re offline. This page opens when you’re back online.')
      } finally {
        await server.restoreLine()
      }
      await browser.has('heading', 'Billing')
    },
  ],
  [
    'Back after signing out shows no page that loads forever',
    async (browser) => {
      await browser.open('/portal/weekly-drops')
      await browser.has('heading', 'Weekly Drops')
      await browser.open('/account/profile')
      await browser.click('button', 'Sign Out')
      await browser.isAt(/^\/(auth)?$/)
      await browser.open('/')
      await browser.back()
      await browser.isAt(/^\/auth/)
      await browser.has('button', 'Sign In')
    },
  ],
  [
    'Every page of the admin opens by its address',
    async (browser) => {
      await signIn(browser, 'admin@frontcounter.test', 'front-counter')
      ok(adminPaths.length > 25, 'the addresses were read')
      const failed: string[] = []
      for (const path of ['/admin', ...adminPaths]) {
        await browser.open(path)
        await browser.until(`${path} is complete`, () => browser.script(isComplete))
        const title = String(await browser.script(`return document.querySelector('main h1').textContent`))
        if (title === 'Something went wrong' || title === 'Page not found') failed.push(`${path}: ${title}`)
      }
      deepEqual(failed, [])
    },
  ],
  [
    'An editor writes a drop, which is saved and previewed',
    async (browser) => {
      await browser.open('/admin/content/drops')
      await browser.click('button', 'New drop')
      await browser.isAt(/^\/admin\/content\/drops\/./)
      await browser.fill('Title', 'Count the drawer twice')
      await browser.fill('Text', 'Two people count, and both sign.')
      await browser.sees('Saved')
      await browser.reload()
      await browser.until('The text', () =>
        browser.script(`return document.querySelector('main').innerText.includes('Two people count, and both sign.')`),
      )
      equal(await browser.script(`return document.querySelector('main input').value`), 'Count the drawer twice')
    },
  ],
]

/** Runs the main journeys in one browser, on a server with sample content. */
export async function runJourneys(engine: Engine, { check, note }: Checks) {
  const server = await startServer()
  try {
    const browser = await Browser.start(engine, server.url)
    note(browser.version)
    try {
      await browser.resize(1280, 900)
      for (const [title, journey] of journeys) await check(title, () => journey(browser, server))
    } finally {
      await browser.stop()
    }
  } finally {
    await server.stop()
  }
}
