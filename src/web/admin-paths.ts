/**
 * The screens of operators. They are apart from the other paths, which every public page loads. For
 * everybody but operators the server has no such pages.
 */
export const adminPaths = {
  admin: '/admin',
  adminUser: '/admin/user',
  adminLog: '/admin/log',
  adminServer: '/admin/server',
} as const
export type AdminPath = (typeof adminPaths)[keyof typeof adminPaths]

/** A group of settings: "Signing in" is at /admin/server#signing-in. */
export const adminServerPath = (group: string) =>
  `${adminPaths.adminServer}#${group.toLowerCase().replaceAll(' ', '-')}`

/** An account, as operators see it. */
export const adminUserPath = (id: string) => `${adminPaths.adminUser}?id=${encodeURIComponent(id)}`
