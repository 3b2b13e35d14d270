declare const checked: unique symbol

/** The right to write new ways into one account. Only `access.grantAccess` gives it. */
export interface Grant {
  readonly userId: string
  readonly [checked]: true
}
