import AxeBuilder from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'
import { settle, unreachableScrollBoxes } from './layout.ts'
import { inspectSmallScreens } from './small-screens.ts'

const wcag = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
const heights = { 360: 780, 768: 1024, 1440: 900 } as const
type Width = keyof typeof heights
const themes = ['light', 'dark'] as const
const leastTargetPx = 44

/** What axe found, as lines that a person can act on. */
async function violations(page: Page) {
  const { violations: found } = await new AxeBuilder({ page })
    // Only what is wrong is worth its details, and no rule of these reads the style sheets again.
    .options({ resultTypes: ['violations'], preload: false })
    .withTags(wcag)
    // A mail is shown in a frame that runs no script, ours included; its markup is held to account where it is made.
    .exclude('iframe[srcdoc]')
    // No other frames to follow: without them axe need not open a second page for its sums.
    .setLegacyMode()
    .analyze()
  return found.flatMap(({ id, help, nodes }) =>
    nodes.map((node) => `${id}: ${help} ${node.target.join(' ')} ${node.failureSummary?.split('\n').at(-1) ?? ''}`),
  )
}

/** Controls that a thumb would miss. Links in running text are exempt, as they are in WCAG. */
const smallTargets = (page: Page) =>
  page.evaluate((least) => {
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
      // Out of sight until it has the focus: the link that skips to the content.
      if (right < 0 || width <= 1 || height <= 1) return []
      if (Math.round(width) >= least && Math.round(height) >= least) return []
      const name = (control.getAttribute('aria-label') ?? control.innerText ?? '').trim() || control.outerHTML
      return [`${control.tagName.toLowerCase()} “${name.slice(0, 60)}” ${Math.round(width)}×${Math.round(height)}`]
    })
  }, leastTargetPx)

/** What sticks out to the right of the page, by its markup. */
const overflow = (page: Page) =>
  page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    if (scrollWidth <= clientWidth) return []
    const wide = [...document.body.querySelectorAll('*')].filter(
      (element) => element.getBoundingClientRect().right > clientWidth + 1,
    )
    return wide.slice(0, 5).map((element) => element.outerHTML.slice(0, 120))
  })

/** A notification tells of the step before. By script, since a style of the test's own is against the page's policy. */
const showToasts = (page: Page, display: '' | 'none') =>
  page.evaluate((value) => {
    for (const list of document.querySelectorAll<HTMLElement>('[data-sonner-toaster]')) list.style.display = value
  }, display)

/**
 * Makes the window as wide as asked and as tall as the page. What sticks to an edge then covers nothing, neither in a
 * picture nor for axe, wherever the page was scrolled to and however tall the fonts of the machine make it.
 */
async function unroll(page: Page, width: Width) {
  await page.setViewportSize({ width, height: heights[width] })
  await settle(page)
  const height = await page.evaluate(() => document.documentElement.scrollHeight)
  await page.setViewportSize({ width, height })
}

async function photograph(page: Page, name: string) {
  // A lossless picture of a whole page takes the processor longer than the journey there.
  const path = `test-results/screenshots/${name}.jpg`
  await page.screenshot({ path, type: 'jpeg', quality: 80, fullPage: true, animations: 'disabled' })
}

/** On a phone in daylight and at a desk at night: each theme and each layout once, since axe takes longest of all. */
const axeLooks: readonly [Width, (typeof themes)[number]][] = [
  [360, 'light'],
  [1440, 'dark'],
]

/**
 * Holds an open page to its looks: every width, light and dark, without loading it again. Pictures for people to look
 * through are kept in test-results/screenshots.
 */
export async function inspect(page: Page, name: string) {
  for (const landmark of ['banner', 'main', 'contentinfo'] as const) {
    await expect(page.getByRole(landmark), landmark).toHaveCount(1)
  }
  await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1)
  await inspectSmallScreens(page, name)
  for (const width of [360, 768, 1440] as const) {
    await unroll(page, width)
    // Between phone and desk only the layout differs; the colors are seen at the others.
    for (const colorScheme of width === 768 ? (['light'] as const) : themes) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await settle(page)
      const where = `${name}, ${width} px, ${colorScheme}`
      if (axeLooks.some(([atWidth, inTheme]) => atWidth === width && inTheme === colorScheme)) {
        expect.soft(await violations(page), `axe: ${where}`).toEqual([])
      }
      if (colorScheme === 'light') expect.soft(await overflow(page), `too wide: ${where}`).toEqual([])
      if (width === 360 && colorScheme === 'light') {
        expect.soft(await smallTargets(page), `small: ${where}`).toEqual([])
        expect.soft(await unreachableScrollBoxes(page), `out of the keyboard's reach: ${where}`).toEqual([])
      }
      if (width !== 768) await photograph(page, `${name}-${width}-${colorScheme}`)
    }
  }
  await page.setViewportSize({ width: 1440, height: heights[1440] })
}

/**
 * Takes pictures of a page in passing, at two widths, light and dark, and gives it back as it was. For states of a page
 * whose accessibility another journey inspects, since that takes longer than the journey.
 */
export async function picture(page: Page, name: string, looks: readonly (typeof themes)[number][] = themes) {
  const before = page.viewportSize()
  await showToasts(page, 'none')
  for (const width of [360, 1440] as const) {
    await unroll(page, width)
    for (const colorScheme of looks) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await settle(page)
      if (colorScheme === 'light') expect.soft(await overflow(page), `too wide: ${name}, ${width} px`).toEqual([])
      await photograph(page, `${name}-${width}-${colorScheme}`)
    }
  }
  await showToasts(page, '')
  await page.emulateMedia({ colorScheme: null, reducedMotion: null })
  if (before) await page.setViewportSize(before)
}
