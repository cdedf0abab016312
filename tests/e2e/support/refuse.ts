import type { Page, Route } from '@playwright/test'

/** Answers a product call in the server's place, as if it had trouble. */
export const failCall = (page: Page, name: string, status = 500) =>
  page.route(`**/functions/v1/${name}`, (route) =>
    route.fulfill({ status, json: { error: 'Something went wrong on our side.', code: 'unexpected_failure' } }),
  )

/** Where the address has to be confirmed first: the account is made as always, only the answer has no session. */
export const answerWithBareUser = async (route: Route) => {
  const response = await route.fetch()
  const { user } = (await response.json()) as { user: object }
  await route.fulfill({ response, json: user })
}
