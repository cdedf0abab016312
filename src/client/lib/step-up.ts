/*
 * "Confirm it’s you": sensitive actions run through `withStepUp`. The dialog that asks is fetched with the
 * first question (app/root-layout.tsx), so that pages that never ask do not carry it.
 */

/** `fresh`: any proof will do. `second-factor`: the session must pass its second step, whatever it proved before. */
export type StepUpNeed = 'fresh' | 'second-factor'

export type StepUpRequest = { need: StepUpNeed; answer: (confirmed: boolean) => void }

/** The person closed the dialog: the action did not happen, and that is no failure to speak of. */
export class StepUpDeclined extends Error {
  constructor() {
    super('Nothing was changed.')
    this.name = 'StepUpDeclined'
  }
}

const needs: Readonly<Record<string, StepUpNeed>> = {
  step_up_required: 'fresh',
  reauthentication_needed: 'fresh',
  insufficient_aal: 'second-factor',
}

/** What a refusal asks for, whichever side of the server it came from; null for every other error. */
export function stepUpNeed(error: unknown): StepUpNeed | null {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' && Object.hasOwn(needs, code) ? (needs[code] ?? null) : null
}

let question: StepUpRequest | null = null
let pending: Promise<boolean> | null = null
const listeners = new Set<() => void>()

function publish(next: StepUpRequest | null) {
  question = next
  for (const listener of listeners) listener()
}

export const stepUpHost = {
  subscribe(listener: () => void) {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  question: () => question,
}

/** Opens the dialog. Two actions that are refused at once share one question and its answer. */
function requestStepUp(need: StepUpNeed): Promise<boolean> {
  pending ??= new Promise<boolean>((resolve) => {
    publish({
      need,
      answer: (confirmed) => {
        pending = null
        publish(null)
        resolve(confirmed)
      },
    })
  })
  return pending
}

/**
 * Runs an action; when the server wants to know first who is there, asks, and runs it again.
 * @throws StepUpDeclined when the dialog was closed, else whatever the action throws
 */
export async function withStepUp<Result>(action: () => Promise<Result>): Promise<Result> {
  try {
    return await action()
  } catch (error) {
    const need = stepUpNeed(error)
    if (!need) throw error
    if (!(await requestStepUp(need))) throw new StepUpDeclined()
    return action()
  }
}
