import type { Page } from '@playwright/test'
import axe from 'axe-core'

const wcagTags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** The WCAG violations that axe finds on the open page, one line for each element. */
export async function axeViolations(page: Page): Promise<string[]> {
  // Half a megabyte of script, so once per document rather than once per check.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  return page.evaluate(async (tags) => {
    // Emails are previewed in frames that run no script; they have accessibility tests of their own.
    const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(
      { exclude: [['iframe[srcdoc]']] },
      { runOnly: tags, resultTypes: ['violations'], preload: false },
    )
    return violations.flatMap(({ id, help, nodes }) =>
      nodes.map((node) => `${id}: ${help} ${node.target.join(' ')} ${node.failureSummary?.split('\n').at(-1) ?? ''}`),
    )
  }, wcagTags)
}
