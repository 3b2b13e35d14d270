import { parseUrl } from './parse-url.ts'

/**
 * An address without its host, or null when it does not lead to this site. The address parser
 * decides, because it also knows "/\\evil.example" and "/<tab>/evil.example".
 */
export function ownPath(address: string): { pathname: string; rest: string } | null {
  const base = 'https://this.site'
  const url = address.startsWith('/') ? parseUrl(address, base) : null
  if (url?.origin !== base) return null
  const { pathname, search, hash } = url
  // What is left of "/.//evil.example" is a path here, and another site as a link.
  return pathname.startsWith('//') ? null : { pathname, rest: search + hash }
}
