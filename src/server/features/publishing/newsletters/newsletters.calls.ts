import type { Deps } from '#server/deps.ts'
import { actorOf } from '#server/features/identity/auth/security/admin-event.ts'
import { requireStepUp } from '#server/features/identity/auth/security/step-up.ts'
import { type Implementation, implement } from '#server/http/product-calls.ts'
import {
  adminNewsletterFiguresCall,
  adminNewslettersCall,
  adminOrderNewslettersCall,
  adminRetireNewsletterCall,
  adminSaveNewsletterCall,
} from '#shared/contracts/publishing/newsletters.ts'
import { listStoredNewsletters, readNewsletterFigures } from './read-newsletters.ts'
import { orderNewsletters, retireNewsletter, saveNewsletter } from './save-newsletter.ts'

export function newslettersCalls(deps: Deps): Implementation[] {
  const { db } = deps.database
  return [
    implement(adminNewslettersCall, () => listStoredNewsletters(db)),
    implement(adminNewsletterFiguresCall, () => readNewsletterFigures(deps)),
    implement(adminSaveNewsletterCall, async (terms, who, request) => {
      await requireStepUp(deps, who)
      await saveNewsletter(deps, actorOf(who, request), terms)
      return listStoredNewsletters(db)
    }),
    implement(adminRetireNewsletterCall, async (change, who, request) => {
      await requireStepUp(deps, who)
      await retireNewsletter(deps, actorOf(who, request), change)
      return listStoredNewsletters(db)
    }),
    implement(adminOrderNewslettersCall, async ({ ids }, who, request) => {
      await orderNewsletters(deps, actorOf(who, request), ids)
      return listStoredNewsletters(db)
    }),
  ]
}
