import { expect, type Page } from '@playwright/test'
import { type PlanKey, plans } from '#tests/support/default-plans.ts'

export const cards = {
  works: '4242 4242 4242 4242',
  declined: '4000 0000 0000 0002',
  /** Requires authentication (3D Secure) for each charge. */
  authenticates: '4000 0027 6000 3184',
} as const

/** A plan's card on the landing page. */
export const planCard = (page: Page, key: PlanKey) => page.getByRole('article', { name: plans[key].name, exact: true })

/** Opens the plan's checkout page from the landing page. */
export async function startCheckout(page: Page, key: PlanKey) {
  await page.goto('/')
  await planCard(page, key).getByRole('button', { name: 'Get Started' }).click()
  await expect(page.getByLabel('Card number')).toBeVisible()
}

export async function payWith(page: Page, card: string) {
  await page.getByLabel('Card number').fill(card)
  await page.getByLabel('Expiry').fill('12 / 34')
  await page.getByLabel('CVC').fill('123')
  await page.getByRole('button', { name: /^Pay/ }).click()
}

/** Buys a plan on the pages. Ends in the portal. */
export async function subscribe(page: Page, key: PlanKey = 'pro_monthly') {
  await startCheckout(page, key)
  await payWith(page, cards.works)
  await expect(page).toHaveURL(/\/portal\/weekly-drops$/)
}
