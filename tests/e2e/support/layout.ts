import type { Locator, Page } from '@playwright/test'

type ShiftWindow = Window & { layoutShifts?: string[] }

/** A web font that arrives late on a busy machine moves words by a few pixels, which scores about 0.0001. */
const leastShift = 0.001

/** Records every visible layout shift without recent input. Call before the page opens. */
export const watchLayoutShifts = (page: Page) =>
  page.addInitScript((least) => {
    const seen: string[] = []
    ;(window as ShiftWindow).layoutShifts = seen
    type Source = { node?: Node | null; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly }
    type Shift = PerformanceEntry & { value: number; hadRecentInput: boolean; sources: Source[] }
    const box = ({ x, y, width, height }: DOMRectReadOnly) => `${width}×${height} at ${x},${y}`
    new PerformanceObserver((list) => {
      for (const shift of list.getEntries() as Shift[]) {
        if (shift.hadRecentInput || shift.value < least) continue
        const moves = shift.sources.map(({ node, previousRect, currentRect }) => {
          const name = node instanceof Element ? node.outerHTML.slice(0, 90) : (node?.nodeName ?? '?')
          return `${box(previousRect)} → ${box(currentRect)} ${name}`
        })
        seen.push(`${shift.value.toFixed(5)} after ${Math.round(shift.startTime)} ms: ${moves.join(' | ')}`)
      }
    }).observe({ type: 'layout-shift', buffered: true })
  }, leastShift)

/** The layout shifts so far, with the elements that moved. */
export const layoutShifts = (page: Page) =>
  page.evaluate(async () => {
    await document.fonts.ready
    // Two frames: the last paint is reported with the next frame.
    for (let frame = 0; frame < 2; frame++) await new Promise((resolve) => requestAnimationFrame(resolve))
    return (window as ShiftWindow).layoutShifts ?? ['not watched']
  })

/** Resolves once fonts are loaded and no transition or finite animation is running. */
export const settle = (page: Page) =>
  page.evaluate(async () => {
    const ends = ({ effect }: Animation) => effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY
    const isRunning = (animation: Animation) => animation.playState === 'running' && ends(animation)
    // Frames rather than `finished`: Chromium doesn't settle it while it draws no frame. Observers and media queries react
    // to a new size or theme in the first one.
    do {
      await new Promise(requestAnimationFrame)
      await document.fonts.ready
    } while (document.getAnimations().some(isRunning))
  })

/** True if the lower edge of an element is on screen and nothing lies on it. */
export const isUncovered = (locator: Locator) =>
  locator.evaluate((element) => {
    const { left, bottom, width } = element.getBoundingClientRect()
    return element.contains(document.elementFromPoint(left + width / 2, bottom - 1))
  })

/**
 * Scrollable elements that the keyboard can't reach. axe reports only those that overflow right now, which depends on the
 * machine's fonts.
 */
export const unreachableScrollBoxes = (page: Page) =>
  page.evaluate(() => {
    const focusable =
      'a[href], button, input, select, textarea, summary, iframe, [contenteditable=true], [tabindex]:not([tabindex="-1"])'
    const scrolls = (overflow: string) => overflow === 'auto' || overflow === 'scroll'
    const boxes = [...document.body.querySelectorAll<HTMLElement>('*')].filter((element) => {
      const { overflowX, overflowY } = getComputedStyle(element)
      return (scrolls(overflowX) || scrolls(overflowY)) && element.checkVisibility()
    })
    return (
      boxes
        // In a text that is edited, the cursor scrolls them.
        .filter(
          (box) => !box.matches(focusable) && !box.querySelector(focusable) && !box.closest('[contenteditable=true]'),
        )
        .map((box) => box.outerHTML.slice(0, 120))
    )
  })
