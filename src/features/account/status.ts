/** Why a visitor may not sign in at an issuer, in the words of the sign-in page. */
export const whyShut = {
  account_blocked:
    'This account is blocked. Nothing in it is deleted. Write to us if this is a mistake.',
  sign_up_closed: 'This server takes no new accounts.',
  invitation_needed: 'New accounts here need an invitation for this address.',
  too_many_attempts: 'Too many attempts. Please wait a few minutes and try again.',
  too_much_at_once:
    'Many sign-ins from your network are under way. Please try again in a few seconds.',
} as const

export type WhyShut = keyof typeof whyShut

export const isWhyShut = (code: string): code is WhyShut => Object.hasOwn(whyShut, code)
