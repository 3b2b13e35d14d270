/**
 * Which addresses webhooks may reach. A name is looked up here and the connection is made to the
 * very address that was checked, so that a name that changes its address in between leads nowhere
 * else. Addresses outside the public internet are refused, and so are ports of servers other than web
 * servers, unless the operator allows them.
 */
import { lookup } from 'node:dns/promises'
import { BlockList, isIP, isIPv4 } from 'node:net'

import { Refusal } from '#shared/refusals.ts'

export interface Target {
  url: URL
  /** To connect to. */
  address: string
  family: 4 | 6
}

export type Lookup = (host: string) => Promise<{ address: string }[]>

const internal = new BlockList()
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
  // The host of an Azure machine, under an address that looks public:
  // https://learn.microsoft.com/azure/virtual-network/what-is-ip-address-168-63-129-16
  ['168.63.129.16', 32],
] as const)
  internal.addSubnet(network, bits, 'ipv4')
// Of IPv6, only the addresses given out for the internet are let through. These are exceptions within
// them: ways back to IPv4 that a router may take, and addresses for documents.
for (const [network, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  internal.addSubnet(network, bits, 'ipv6')
const given = new BlockList()
given.addSubnet('2000::', 3, 'ipv6')

export function isPublic(address: string): boolean {
  if (isIPv4(address)) return !internal.check(address, 'ipv4')
  return isIP(address) === 6 && given.check(address, 'ipv6') && !internal.check(address, 'ipv6')
}

/** Services above 1023 to which browsers send nothing: https://fetch.spec.whatwg.org/#bad-port */
const badPorts = new Set([
  1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669,
  6679, 6697, 10080,
])

const isForWeb = (port: number): boolean =>
  port === 80 || port === 443 || (port > 1023 && !badPorts.has(port))

/** The hosts, addresses and networks that WEBHOOK_ALLOW names. */
function allowedBy(list: readonly string[]): (hostOrAddress: string) => boolean {
  const hosts = new Set(list.map((part) => part.toLowerCase()))
  const networks = new BlockList()
  for (const part of list) {
    const [address = '', bits] = part.split('/')
    const family = isIPv4(address) ? 'ipv4' : 'ipv6'
    if (isIP(address) === 0) continue
    networks.addSubnet(address, Number(bits ?? (family === 'ipv4' ? 32 : 128)), family)
  }
  return (hostOrAddress) =>
    hosts.has(hostOrAddress.toLowerCase()) ||
    (isIP(hostOrAddress) !== 0 &&
      networks.check(hostOrAddress, isIPv4(hostOrAddress) ? 'ipv4' : 'ipv6'))
}

/**
 * The address to connect to for a webhook, now.
 *
 * @throws Refusal `bad_webhook_address`, `closed_webhook_port`, `unknown_webhook_address`,
 *   `internal_webhook_address`
 */
export async function targetOf(
  address: string,
  { allow, find = findAll }: { allow: readonly string[]; find?: Lookup },
): Promise<Target> {
  if (!URL.canParse(address)) throw new Refusal('bad_webhook_address')
  const url = new URL(address)
  const isHttp = url.protocol === 'http:'
  if ((url.protocol !== 'https:' && !isHttp) || url.username || url.password || !url.hostname)
    throw new Refusal('bad_webhook_address')
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')
  const isAllowed = allowedBy(allow)
  const port = Number(url.port || (isHttp ? 80 : 443))
  const isNamed = allow.includes(`${url.hostname}:${port}`)
  if (!isNamed && !isForWeb(port)) throw new Refusal('closed_webhook_port')

  const found = isIP(host) === 0 ? await find(host) : [{ address: host }]
  const [first] = found
  if (!first) throw new Refusal('unknown_webhook_address')
  const isOperators = isNamed || isAllowed(host) || found.every((each) => isAllowed(each.address))
  // One internal address among several is enough: which of them is taken is not ours to choose.
  if (!isOperators && !found.every((each) => isPublic(each.address)))
    throw new Refusal('internal_webhook_address')
  if (isHttp && !isOperators) throw new Refusal('bad_webhook_address')
  return { url, address: first.address, family: isIPv4(first.address) ? 4 : 6 }
}

async function findAll(host: string): Promise<{ address: string }[]> {
  try {
    return await lookup(host, { all: true })
  } catch (error) {
    throw new Refusal('unknown_webhook_address', { cause: error })
  }
}
