import { expect, type Page } from '@playwright/test'
import { allLooks } from './all-looks.ts'
import { axeViolations } from './axe.ts'
import { settle, unreachableScrollBoxes } from './layout.ts'
import { inspectSmallScreens } from './small-screens.ts'

const heights = { 360: 780, 768: 1024, 1440: 900 } as const
type Width = keyof typeof heights
type Theme = 'light' | 'dark'
const minTargetPx = 44

/** Controls smaller than 44 × 44 px. Links in running text are exempt, as in WCAG. */
const smallTargets = (page: Page) =>
  page.evaluate((minPx) => {
    const controls = document.querySelectorAll<HTMLElement>(
      'a[href], button, summary, select, input:not([type=hidden]), textarea, [role=button], [role=tab]',
    )
    const targetOf = (control: HTMLElement) =>
      control.matches('[type=checkbox], [type=radio]') ? (control.closest('label') ?? control) : control
    return [...controls].flatMap((control) => {
      const target = targetOf(control)
      if (control.tagName === 'A' && getComputedStyle(control).display === 'inline') return []
      if (!target.checkVisibility({ visibilityProperty: true, opacityProperty: false })) return []
      const { width, height, right } = target.getBoundingClientRect()
      // The skip link is off screen until focused.
      if (right < 0 || width <= 1 || height <= 1) return []
      if (Math.round(width) >= minPx && Math.round(height) >= minPx) return []
      const name = (control.getAttribute('aria-label') ?? control.innerText ?? '').trim() || control.outerHTML
      return [`${control.tagName.toLowerCase()} “${name.slice(0, 60)}” ${Math.round(width)}×${Math.round(height)}`]
    })
  }, minTargetPx)

/** The markup of up to five elements beyond the right edge of the page. */
const overflow = (page: Page) =>
  page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    if (scrollWidth <= clientWidth) return []
    const wide = [...document.body.querySelectorAll('*')].filter(
      (element) => element.getBoundingClientRect().right > clientWidth + 1,
    )
    return wide.slice(0, 5).map((element) => element.outerHTML.slice(0, 120))
  })

/** Notifications belong to the step before. Set by script, since the content security policy forbids added styles. */
const showToasts = (page: Page, display: '' | 'none') =>
  page.evaluate((value) => {
    for (const list of document.querySelectorAll<HTMLElement>('[data-sonner-toaster]')) list.style.display = value
  }, display)

async function resize(page: Page, width: Width) {
  await page.setViewportSize({ width, height: heights[width] })
  await settle(page)
}

/**
 * Resizes the viewport to the whole page, so that sticky headers and bars cover nothing for axe or in a screenshot,
 * whatever the scroll position.
 */
async function unroll(page: Page, width: Width) {
  await resize(page, width)
  const height = await page.evaluate(() => document.documentElement.scrollHeight)
  await page.setViewportSize({ width, height })
}

async function emulateTheme(page: Page, colorScheme: Theme) {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
  await settle(page)
}

/** Screenshots are for people and cost as much as axe, so they are taken only with SCREENSHOTS=1. */
const takesScreenshots = process.env.SCREENSHOTS === '1'

/** Takes the page in each theme at its current size; the last theme stays on. */
async function screenshot(page: Page, name: string, width: Width, looks: readonly Theme[]) {
  if (!takesScreenshots) return
  for (const theme of looks) {
    await emulateTheme(page, theme)
    const path = `test-results/screenshots/${name}-${width}-${theme}.jpg`
    await page.screenshot({ path, type: 'jpeg', quality: 80, fullPage: true, animations: 'disabled' })
  }
}

/**
 * Checks the open page without reloading it: landmarks, layout at 200% text, touch targets, and axe on a phone in the
 * light theme and on a desktop in the dark one. Layout doesn't depend on the theme. TEST_ALL=1 adds more widths.
 */
export async function inspect(page: Page, name: string) {
  for (const landmark of ['banner', 'main', 'contentinfo'] as const) {
    await expect(page.getByRole(landmark), landmark).toHaveCount(1)
  }
  await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1)
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await inspectSmallScreens(page, name)

  await unroll(page, 360)
  await emulateTheme(page, 'light')
  expect.soft(await overflow(page), `overflow: ${name}, 360 px`).toEqual([])
  expect.soft(await smallTargets(page), `small touch targets: ${name}`).toEqual([])
  expect.soft(await unreachableScrollBoxes(page), `not keyboard accessible: ${name}`).toEqual([])
  expect.soft(await axeViolations(page), `axe: ${name}, 360 px, light`).toEqual([])
  await screenshot(page, name, 360, ['light', 'dark'])

  if (allLooks) {
    await resize(page, 768)
    expect.soft(await overflow(page), `overflow: ${name}, 768 px`).toEqual([])
  }

  await unroll(page, 1440)
  await screenshot(page, name, 1440, ['light'])
  await emulateTheme(page, 'dark')
  expect.soft(await overflow(page), `overflow: ${name}, 1440 px`).toEqual([])
  expect.soft(await axeViolations(page), `axe: ${name}, 1440 px, dark`).toEqual([])
  await screenshot(page, name, 1440, ['dark'])
  await page.setViewportSize({ width: 1440, height: heights[1440] })
}

/** Inspects a further state of a page that another test inspects, and only with TEST_ALL=1. */
export async function inspectState(page: Page, name: string) {
  if (allLooks) await inspect(page, name)
}

/**
 * Checks a page for overflow on a phone and a desktop, and restores its size. For states whose accessibility another test
 * inspects, and only with TEST_ALL=1.
 */
export async function checkOverflow(page: Page, name: string, looks: readonly Theme[] = ['light', 'dark']) {
  if (!allLooks) return
  const before = page.viewportSize()
  await showToasts(page, 'none')
  for (const width of [360, 1440] as const) {
    await unroll(page, width)
    await settle(page)
    expect.soft(await overflow(page), `overflow: ${name}, ${width} px`).toEqual([])
    await screenshot(page, name, width, looks)
  }
  await showToasts(page, '')
  await page.emulateMedia({ colorScheme: null, reducedMotion: null })
  if (before) await page.setViewportSize(before)
}
