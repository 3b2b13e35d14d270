/** Why a payment granted nothing; each reason ends a sentence: "A payment has arrived, but …". */
export const whyUnmatched = {
  no_plan: 'it is not for exactly one month of a plan that is sold here',
  trial: 'it is for a trial month, which has no credits',
  not_begun_here: 'it is for a plan that was not begun on this server',
  account_gone: 'the account that it was for has been deleted',
  other_checkout: 'it is not what the checkout page was for',
} as const

export type Reason = keyof typeof whyUnmatched
