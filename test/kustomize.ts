/** The manifests that a folder of deploy/kubernetes makes, where this machine has `kubectl`. */
import { execFileSync } from 'node:child_process'

/** Older ones, such as Debian's, cannot read today's kustomizations. */
export function hasKustomize(): boolean {
  try {
    const said = execFileSync('kubectl', ['version', '--client'], { encoding: 'utf8' })
    return /Kustomize Version: v5/.test(said)
  } catch {
    return false
  }
}

/** Puts a folder together, as YAML. */
export const kustomize = (folder: string): string =>
  execFileSync('kubectl', ['kustomize', folder], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })

export const overlays = ['overlays/example', 'overlays/gpu', 'seccomp'].map(
  (name) => `deploy/kubernetes/${name}`,
)
