/**
 * An address without its host, or null when it does not lead to this site. The address parser
 * decides, because it also knows "/\\evil.example" and "/<tab>/evil.example".
 */
export function ownPath(address: string): { pathname: string; rest: string } | null {
  const base = 'https://this.site'
  const url = address.startsWith('/') ? URL.parse(address, base) : null
  return url?.origin === base ? { pathname: url.pathname, rest: url.search + url.hash } : null
}
