import type { ScannerTexts } from './en.ts'

/** The texts of the scanner in French. */
export const fr: ScannerTexts = {
  title: 'Scanner',
  opening: 'Ouverture…',
  enrol_title: 'Configurer cet appareil',
  enrol_text:
    'L’organisateur crée un appareil et obtient un code de huit caractères. Saisissez-le ici, ou scannez son code QR avec l’appareil photo de ce téléphone.',
  code: 'Code de l’appareil',
  enrol: 'Configurer',
  enrol_wrong:
    'Ce code n’est pas valable\u00a0: il est mal saisi, déjà utilisé ou vieux de plus de dix minutes. Demandez-en un nouveau à l’organisateur.',
  enrol_slow: 'Il y a eu trop de codes faux. Réessayez dans une minute.',
  enrol_away: 'Le serveur ne répond pas. Vérifiez le réseau et réessayez.',
  revoked_title: 'Cet appareil a été révoqué',
  revoked_text:
    'Il ne peut plus scanner et a oublié la liste des invités. Pour continuer, demandez un nouveau code à l’organisateur.',
  revoked_waiting:
    'Scans sur cet appareil qui ne sont pas sur le serveur\u00a0: {count}. Rien n’est perdu\u00a0: enregistrez le tout dans un fichier et donnez-le à l’organisateur.',
  other_waiting:
    'Scans en attente ici, faits sous un code antérieur\u00a0: {count}. Enregistrez le tout dans un fichier et donnez-le à l’organisateur.',
  save_scans: 'Enregistrer les scans dans un fichier',
  point_title: 'Où scannez-vous\u00a0?',
  point_none: 'Il n’y a pas de point de contrôle pour cet appareil. Demandez à l’organisateur.',
  change_point: 'Changer de point de contrôle',
  online: 'En ligne',
  offline: 'Hors ligne',
  waiting: '{count} en attente',
  conflicts: 'Différences ({count})',
  conflicts_title: 'Le serveur dit autre chose',
  conflicts_text:
    'Cet appareil a décidé seul de ces scans, et le serveur aurait décidé autrement. Prévenez l’organisateur.',
  conflict_in: 'Est entré ici, mais le serveur dit\u00a0: {status}',
  conflict_out: 'A été refusé ici, mais peut entrer',
  conflict_problem: 'N’est pas enregistré\u00a0: {problem}',
  conflict_entered: 'Entrée précédente à {point}\u00a0: {time}',
  back: 'Revenir aux scans',
  ready: 'Prêt à scanner',
  camera_start: 'Démarrer la caméra',
  camera_stop: 'Arrêter la caméra',
  camera_denied:
    'La caméra n’est pas autorisée. Touchez le symbole à côté de l’adresse de cette page, autorisez la caméra, puis démarrez-la à nouveau.',
  camera_none:
    'Aucune caméra n’a été trouvée. Branchez-en une et démarrez-la à nouveau, ou saisissez le code ou cherchez l’invité ci-dessous.',
  camera_busy: 'Une autre application ou page utilise la caméra. Fermez-la, puis démarrez la caméra à nouveau.',
  insecure:
    'La caméra ne fonctionne que sur les pages en https. Demandez l’adresse https à l’organisateur et ouvrez-la.',
  type_code: 'Saisir un code',
  check_in: 'Valider',
  search: 'Chercher par nom',
  search_none: 'Aucun invité trouvé.',
  search_offline: 'La recherche a besoin du réseau.',
  granted: 'Bienvenue',
  unconfirmed: 'Entrée accordée, pas encore confirmée',
  unconfirmed_text: 'Cet appareil ne sait rien qui s’y oppose. Le serveur ne l’a pas encore confirmé.',
  unknown: 'Invité inconnu',
  unknown_text: 'Aucun invité de cet événement n’a ce code.',
  not_authorized: 'Non autorisé',
  not_authorized_text: 'Cet invité ne peut pas entrer ici.',
  too_many: 'Déjà utilisé',
  too_many_text: 'Cet invité est entré ici autant de fois que permis.',
  refused_alone: 'C’est ce que dit cet appareil. Le serveur ne l’a pas encore confirmé.',
  undecided: 'Pas encore confirmé',
  undecided_text:
    'Le serveur ne répond pas, et cet appareil ne sait pas si cet invité peut entrer. Le scan est conservé et sera envoyé plus tard.',
  unread: 'Pas un code d’invité',
  unread_text: 'Ceci n’est pas le code d’un invité.',
  full: 'Non scanné',
  full_text:
    'La mémoire de cet appareil est pleine, rien n’a donc été scanné. Supprimez des photos ou des applications, puis scannez de nouveau.',
  problem: 'Non enregistré',
  sign: 'Faire signer {name}',
  sign_title: 'Signature de {name}',
  sign_text: 'Donnez l’appareil à l’invité, qui signe ici avec un doigt ou un stylet.',
  sign_done: 'Terminé',
  sign_clear: 'Effacer',
  sign_cancel: 'Annuler',
  signed: 'La signature est enregistrée.',
  sign_full:
    'La mémoire de cet appareil est pleine\u00a0: la signature n’est pas enregistrée. Supprimez des photos ou des applications, puis réessayez.',
  signatures_kept:
    'Signatures sur cet appareil qui ne sont pas sur le serveur\u00a0: {count}. Enregistrez le tout dans un fichier et donnez-le à l’organisateur.',
  save_signatures: 'Enregistrer les signatures dans un fichier',
  conflict_signature: 'La signature n’est pas enregistrée\u00a0: {problem}',
}
