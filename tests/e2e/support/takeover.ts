import { expect, type Page } from '@playwright/test'

/** Marks the page once the application has hydrated it. Call before the page opens. */
export const watchTakeover = (page: Page) =>
  page.addInitScript(() => {
    window.addEventListener('app:ready', () => document.documentElement.setAttribute('data-app-ready', ''))
  })

/** Resolves once the application has hydrated the page. */
export const takeover = (page: Page) => expect(page.locator('html[data-app-ready]')).toBeAttached()
