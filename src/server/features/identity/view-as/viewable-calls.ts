import type { ViewableCall } from '#server/http/product-calls.ts'

/**
 * The calls that staff may make while they view the portal as a member. Every other call is refused, new ones included.
 * An `answer` stands for what only the member may see. A test makes all of them and compares the whole database before
 * and after.
 */
export const viewableCalls: Readonly<Record<string, ViewableCall>> = {
  // Leaves out `refresh`, which would sync with Stripe.
  'check-subscription': { input: { refresh: false } },
  'get-preferences': true,
  'personalize-content': true,
  'weekly-drops': true,
  'weekly-drop': true,
  'prompt-packs': true,
  guides: true,
  tools: true,
  // Its filters would tell what the member saved and tried.
  search: { input: { saved: false, tried: false } },
  archive: true,
  glossary: true,
  // The portal tells members that no one else sees what they enter, save, read and try.
  'item-marks': {
    answer: {
      items: [],
      canAssign: false,
      openAssignments: null,
      versions: [],
      rules: {},
      continueReading: null,
      firstWeek: null,
    },
  },
  'business-profile': { answer: { values: {}, locations: [], answers: {} } },
  'franchisor-rules': { answer: { rules: [] } },
  'end-view-as': true,
}
