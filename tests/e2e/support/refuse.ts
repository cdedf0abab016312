import type { Page, Route } from '@playwright/test'

/** Fails a product call with a server error. */
export const failCall = (page: Page, name: string, status = 500) =>
  page.route(`**/functions/v1/${name}`, (route) =>
    route.fulfill({ status, json: { error: 'Something went wrong on our end.', code: 'unexpected_failure' } }),
  )

/** Removes the session from a sign-up response, as with EMAIL_CONFIRMATION=first. */
export const answerWithBareUser = async (route: Route) => {
  const response = await route.fetch()
  const { user } = (await response.json()) as { user: object }
  await route.fulfill({ response, json: user })
}
