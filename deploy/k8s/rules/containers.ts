import { eachContainer, type Rule } from './rule.ts'

/** What containers may do and use. */
export const containerRules: readonly Rule[] = [
  eachContainer('containers have no rights', {
    'may be root': ({ pod, container }) =>
      (container.securityContext?.runAsNonRoot ?? pod.securityContext?.runAsNonRoot) === true &&
      (container.securityContext?.runAsUser ?? pod.securityContext?.runAsUser) > 0,
    'may write to its file system': ({ container }) => container.securityContext?.readOnlyRootFilesystem === true,
    'may gain rights': ({ container }) =>
      container.securityContext?.allowPrivilegeEscalation === false && !container.securityContext.privileged,
    'has capabilities': ({ container }) =>
      String(container.securityContext?.capabilities?.drop) === 'ALL' && !container.securityContext.capabilities.add,
    'may use every system call': ({ pod, container }) =>
      (container.securityContext?.seccompProfile ?? pod.securityContext?.seccompProfile)?.type === 'RuntimeDefault',
    'has a token of the cluster': ({ pod }) => pod.automountServiceAccountToken === false,
    'shares namespaces of the node': ({ pod }) => !pod.hostNetwork && !pod.hostPID && !pod.hostIPC,
  }),
  eachContainer('containers ask for what they need, and their memory is bounded', {
    'requests no processor': ({ container }) => Boolean(container.resources?.requests?.cpu),
    'requests no memory': ({ container }) => Boolean(container.resources?.requests?.memory),
    'has no limit of memory': ({ container }) => Boolean(container.resources?.limits?.memory),
  }),
]
