import * as l10n from '@vscode/l10n';
import { LruMap } from '../base/lru-map.ts';
import { type LicenseClass, licenseClasses } from '../model/license-policy.ts';
import { type License, type LicenseExpression, parseLicense } from './license-expressions.ts';

/**
 * The class of licenses without a stated relation, so that all of them apply. `OR` lets the user choose the freest
 * side, `AND` comes to the strictest.
 * @param licenses SPDX expressions or other texts; none where they are unknown
 */
export function classOfLicenses(licenses: readonly string[]): LicenseClass {
  return (licenses.length > 0 ? licenses : ['']).map(classOfText).reduce(stricter);
}

/** The class of one license. An exception that permits linking makes a strong copyleft weak. */
export function classOfLicense({ id, exception }: License): LicenseClass {
  const found = classes.get(id.replace(/\+$/, '')) ?? 'unknown';
  return found === 'strong-copyleft' && exception !== undefined && linkingExceptions.has(exception)
    ? 'weak-copyleft'
    : found;
}

/** All identifiers, with current spelling. */
export function licenseIds(): readonly string[] {
  return [...classes.keys()];
}

/** A class in the reader's language, for the middle of a sentence. */
export function licenseClassText(licenseClass: LicenseClass): string {
  switch (licenseClass) {
    case 'permissive':
      return l10n.t('permissive');
    case 'weak-copyleft':
      return l10n.t('weak copyleft');
    case 'strong-copyleft':
      return l10n.t('strong copyleft');
    case 'use-restricted':
      return l10n.t('use restricted');
    case 'unknown':
      return l10n.t('unknown');
  }
}

function classOfText(text: string): LicenseClass {
  const known = texts.get(text);
  if (known) return known;
  const expression = parseLicense(text);
  const found = expression ? classOfExpression(expression) : 'unknown';
  texts.set(text, found);
  return found;
}

/** Texts whose class is remembered. */
const MAX_TEXTS = 1000;

/** A lockfile has thousands of packages and few licenses. */
const texts = new LruMap<string, LicenseClass>(MAX_TEXTS);

function classOfExpression(expression: LicenseExpression): LicenseClass {
  if (expression.kind === 'license') return classOfLicense(expression);
  const [left, right] = [classOfExpression(expression.left), classOfExpression(expression.right)];
  return expression.kind === 'and' ? stricter(left, right) : freer(left, right);
}

/** For `AND`. Something unknown can only add to what a license requires, so a known copyleft stays one. */
function stricter(a: LicenseClass, b: LicenseClass): LicenseClass {
  return strictness.indexOf(a) > strictness.indexOf(b) ? a : b;
}

const strictness: readonly LicenseClass[] = [
  'permissive',
  'unknown',
  'weak-copyleft',
  'strong-copyleft',
  'use-restricted',
];

/** For `OR`. A user need not choose a license of unknown content: `GPL-3.0-only OR LicenseRef-Commercial` is a copyleft. */
function freer(a: LicenseClass, b: LicenseClass): LicenseClass {
  return licenseClasses.indexOf(a) < licenseClasses.indexOf(b) ? a : b;
}

/**
 * The class of each identifier on the SPDX License List.
 *
 * Source: the categories of ScanCode LicenseDB (CC-BY-4.0), February 2026: Permissive and Public Domain are permissive,
 * Copyleft Limited is weak, Copyleft is strong; Free Restricted, Source-available and Proprietary Free restrict use.
 * Otherwise than there: SSPL, RPL and CeCILL are strong, CeCILL-C and SISSL weak, and Aladdin restricts use, as their
 * texts say. Licenses that it does not have are classified by their texts, or unknown.
 */
const identifiers: Readonly<Record<LicenseClass, string>> = {
  permissive: `
    0BSD 3D-Slicer-1.0 AAL Abstyles AdaCore-doc Adobe-2006 Adobe-Display-PostScript Adobe-Glyph Adobe-Utopia ADSL
    AFL-1.1 AFL-1.2 AFL-2.0 AFL-2.1 AFL-3.0 Afmparse AMD-newlib AMDPLPA AML AML-glslang AMPAS ANTLR-PD ANTLR-PD-fallback
    Apache-1.0 Apache-1.1 Apache-2.0 APAFML App-s2p Aspell-RU Baekmuk Bahyph Barr bcrypt-Solar-Designer Beerware
    Bitstream-Charter Bitstream-Vera blessing BlueOak-1.0.0 Boehm-GC Boehm-GC-without-fee BOLA-1.1 Borceux
    Brian-Gladman-2-Clause Brian-Gladman-3-Clause Brian-Gladman-3-Clause-no-conversion BSD-1-Clause BSD-2-Clause
    BSD-2-Clause-Darwin BSD-2-Clause-first-lines BSD-2-Clause-Patent BSD-2-Clause-pkgconf-disclaimer
    BSD-2-Clause-pos-unchanged BSD-2-Clause-Views BSD-3-Clause BSD-3-Clause-acpica BSD-3-Clause-Attribution
    BSD-3-Clause-Clear BSD-3-Clause-flex BSD-3-Clause-HP BSD-3-Clause-LBNL BSD-3-Clause-Modification
    BSD-3-Clause-Open-MPI BSD-3-Clause-Sun BSD-3-Clause-Tso BSD-4-Clause BSD-4-Clause-Shortened BSD-4-Clause-UC
    BSD-4.3RENO BSD-4.3TAHOE BSD-Advertising-Acknowledgement BSD-ask-to-endorse BSD-Attribution-HPND-disclaimer
    BSD-Inferno-Nettverk BSD-Mark-Modifications BSD-Source-beginning-file BSD-Source-Code BSD-Source-Code-no-disclaimer
    BSD-Systemics BSD-Systemics-W3Works BSL-1.0 bzip2-1.0.6 Caldera-no-preamble CAPEC-tou Catharon CC-BY-1.0 CC-BY-2.0
    CC-BY-2.5 CC-BY-2.5-AU CC-BY-3.0 CC-BY-3.0-AT CC-BY-3.0-AU CC-BY-3.0-DE CC-BY-3.0-IGO CC-BY-3.0-NL CC-BY-3.0-US
    CC-BY-4.0 CC-PDDC CC-PDM-1.0 CC0-1.0 CDLA-Permissive-1.0 CDLA-Permissive-2.0 CECILL-B CERN-OHL-1.1 CERN-OHL-1.2
    CERN-OHL-P-2.0 CFITSIO check-cvs checkmk Clips CMU-Mach CMU-Mach-nodoc CNRI-Jython CNRI-Python
    CNRI-Python-GPL-Compatible COIL-1.0 Community-Spec-1.0 Condor-1.1 Cornell-Lossless-JPEG Cronyx Crossword CryptoSwift
    CrystalStacker Cube curl cve-tou DEC-3-Clause diffmark DL-DE-BY-2.0 DL-DE-ZERO-2.0 DOC DocBook-DTD DocBook-Schema
    DocBook-Stylesheet DocBook-XML Dotseqn DRL-1.0 DRL-1.1 DSDP dtoa dvipdfm ECL-1.0 ECL-2.0 EFL-1.0 EFL-2.0 eGenix
    Entessa EPICS ESA-PL-permissive-2.4 etalab-2.0 EUDatagrid Fair FBM Ferguson-Twofish FreeBSD-DOC FSFAP
    FSFAP-no-warranty-disclaimer FSFUL FSFULLR FSFULLRSD FSFULLRWD FTL Furuseth fwlw Game-Programming-Gems GD
    generic-xts Giftware Glulxe GLWTPL Graphics-Gems gtkbook Gutmann HaskellReport HDF5 hdparm HIDAPI HP-1986 HP-1989
    HPND HPND-DEC HPND-doc HPND-doc-sell HPND-export-US-modify HPND-export2-US HPND-Fenneberg-Livingston HPND-INRIA-IMAG
    HPND-Intel HPND-Kevlin-Henney HPND-Markus-Kuhn HPND-merchantability-variant HPND-MIT-disclaimer HPND-Netrek
    HPND-Pbmplus HPND-sell-MIT-disclaimer-xserver HPND-sell-regexpr HPND-sell-variant HPND-sell-variant-MIT-disclaimer
    HPND-sell-variant-MIT-disclaimer-rev HPND-SMC HPND-UC HTMLTIDY IBM-pibs ICU IEC-Code-Components-EULA IJG IJG-short
    ImageMagick iMatix Info-ZIP Inner-Net-2.0 InnoSetup Intel Intel-ACPI ISC ISC-Veillard Jam JasPer-2.0 jove JPNIC JSON
    Kastrup Kazlib Knuth-CTAN Latex2e Latex2e-translated-notice Leptonica Libpng libpng-1.6.35 libpng-2.0 libselinux-1.0
    libtiff libutil-David-Nugent Linux-OpenIB LOOP LPD-document lsof Lucida-Bitmap-Fonts LZMA-SDK-9.11-to-9.20
    LZMA-SDK-9.22 Mackerras-3-Clause Mackerras-3-Clause-acknowledgment magaz mailprio man2html Martin-Birgmeier
    McPhee-slideshow metamail Minpack MIPS MirOS MIT MIT-0 MIT-advertising MIT-Click MIT-CMU MIT-enna MIT-feh
    MIT-Festival MIT-Khronos-old MIT-Modern-Variant MIT-open-group MIT-STK MIT-testregex MIT-Wu MITNFA MMIXware MPEG-SSG
    mpi-permissive mpich2 mplus MS-LPL MS-PL MTLL MulanPSL-1.0 MulanPSL-2.0 Multics Mup NAIST-2003 Naumen NCBI-PD NCL
    NCSA Net-SNMP NetCDF Newsletr ngrep NICTA-1.0 NIST-PD NIST-PD-fallback NIST-PD-TNT NIST-Software NLOD-1.0 NLOD-2.0
    NLPL NRL NTIA-PD NTP NTP-0 Nunit O-UDA-1.0 OAR ODC-By-1.0 OFFIS OFL-1.0 OFL-1.0-no-RFN OFL-1.0-RFN OFL-1.1-no-RFN
    OFL-1.1-RFN OGC-1.0 OGDL-Taiwan-1.0 OGL-Canada-2.0 OGL-UK-1.0 OGL-UK-2.0 OGL-UK-3.0 OLDAP-2.0 OLDAP-2.0.1 OLDAP-2.1
    OLDAP-2.2 OLDAP-2.2.1 OLDAP-2.2.2 OLDAP-2.3 OLDAP-2.4 OLDAP-2.5 OLDAP-2.6 OLDAP-2.7 OLDAP-2.8 OLFL-1.3 OML
    OpenMDW-1.0 OpenSSL OpenSSL-standalone OpenVision OPL-UK-3.0 OPUBL-1.0 PADL PDDL-1.0 PHP-3.0 PHP-3.01 Pixar pkgconf
    Plexus pnmstitch PostgreSQL PSF-2.0 psfrag psutils Python-2.0 Python-2.0.1 python-ldap radvd Rdisc RSA-MD Ruby-pty
    SAX-PD SAX-PD-2.0 Saxpath SCEA SchemeReport Sendmail Sendmail-Open-Source-1.1 SGI-B-1.1 SGI-B-2.0 SGI-OpenGL
    SGMLUG-PM SGP4 SHL-0.5 SHL-0.51 SL SMLNJ snprintf softSurfer Soundex Spencer-86 Spencer-94 Spencer-99 ssh-keyscan
    SSH-OpenSSH SSH-short SSLeay-standalone Sun-PPP Sun-PPP-2000 SunPro SWL swrule Symlinks TCL TCP-wrappers TekHVC
    TermReadKey ThirdEye threeparttable TPDL TrustedQSL TTWL TTYP0 TU-Berlin-1.0 TU-Berlin-2.0 UCAR ulem UMich-Merit
    Unicode-3.0 Unicode-DFS-2015 Unicode-DFS-2016 UnixCrypt Unlicense Unlicense-libtelnet Unlicense-libwhirlpool UPL-1.0
    Vixie-Cron VSL-1.0 W3C W3C-19980720 W3C-20150513 w3m Widget-Workshop WordNet Wsuipa WTFNMFPL WTFPL wwl X11
    X11-distribute-modifications-variant X11-no-permit-persons X11-swapped Xdebug-1.03 Xerox Xfig XFree86-1.1 xinetd
    xkeyboard-config-Zinoviev xlock Xnet xpp XSkat xzoom Zed Zeeff Zend-2.0 Zlib zlib-acknowledgement ZPL-1.1 ZPL-2.0
    ZPL-2.1`,
  'weak-copyleft': `
    APSL-1.0 APSL-1.1 APSL-1.2 APSL-2.0 Artistic-1.0 Artistic-1.0-cl8 Artistic-1.0-Perl Artistic-2.0 Artistic-dist
    BitTorrent-1.0 BitTorrent-1.1 CAL-1.0-Combined-Work-Exception CATOSL-1.1 CC-BY-SA-1.0 CC-BY-SA-2.0 CC-BY-SA-2.0-UK
    CC-BY-SA-2.1-JP CC-BY-SA-2.5 CC-BY-SA-3.0 CC-BY-SA-3.0-AT CC-BY-SA-3.0-DE CC-BY-SA-3.0-IGO CC-BY-SA-4.0 CDDL-1.0
    CDDL-1.1 CDL-1.0 CDLA-Sharing-1.0 CECILL-C CERN-OHL-W-2.0 ClArtistic CPL-1.0 CUA-OPL-1.0 EPL-1.0 EPL-2.0
    ESA-PL-weak-copyleft-2.4 EUPL-1.1 EUPL-1.2 Eurosym FDK-AAC Frameworx-1.0 FreeImage GCR-docs GFDL-1.1-invariants-only
    GFDL-1.1-invariants-or-later GFDL-1.1-no-invariants-only GFDL-1.1-no-invariants-or-later GFDL-1.1-only
    GFDL-1.1-or-later GFDL-1.2-invariants-only GFDL-1.2-invariants-or-later GFDL-1.2-no-invariants-only
    GFDL-1.2-no-invariants-or-later GFDL-1.2-only GFDL-1.2-or-later GFDL-1.3-invariants-only
    GFDL-1.3-invariants-or-later GFDL-1.3-no-invariants-only GFDL-1.3-no-invariants-or-later GFDL-1.3-only
    GFDL-1.3-or-later GL2PS gnuplot gSOAP-1.3b Imlib2 IPA IPL-1.0 LGPL-2.0-only LGPL-2.0-or-later LGPL-2.1-only
    LGPL-2.1-or-later LGPL-3.0-only LGPL-3.0-or-later LGPLLR LiLiQ-P-1.1 LiLiQ-R-1.1 Linux-man-pages-1-para
    Linux-man-pages-copyleft-2-para Linux-man-pages-copyleft-var LPL-1.0 LPL-1.02 MPL-1.0 MPL-1.1 MPL-2.0
    MPL-2.0-no-copyleft-exception MS-RL NASA-1.3 NBPL-1.0 NGPL Nokia NOSL Noweb NPL-1.0 NPL-1.1 OCCT-PL OCLC-2.0 OFL-1.1
    OGTSL OLDAP-1.1 OLDAP-1.2 OLDAP-1.3 OLDAP-1.4 OpenPBS-2.3 OPL-1.0 OSET-PL-2.1 Qhull QPL-1.0 QPL-1.0-INRIA-2004
    RPSL-1.0 RSCPL Ruby Sendmail-8.23 SISSL SISSL-1.2 SMPPL SPL-1.0 TAPR-OHL-1.0 TORQUE-1.1 TPL-1.0 Ubuntu-font-1.0
    UCL-1.0 URT-RLE YPL-1.0 Zimbra-1.3 Zimbra-1.4`,
  'strong-copyleft': `
    AGPL-1.0-only AGPL-1.0-or-later AGPL-3.0-only AGPL-3.0-or-later APL-1.0 Arphic-1999 BSD-Protection CAL-1.0 CC-SA-1.0
    CECILL-1.0 CECILL-1.1 CECILL-2.0 CECILL-2.1 CERN-OHL-S-2.0 copyleft-next-0.3.0 copyleft-next-0.3.1 CPAL-1.0
    D-FSL-1.0 ErlPL-1.1 ESA-PL-strong-copyleft-2.4 EUPL-1.0 Glide GPL-1.0-only GPL-1.0-or-later GPL-2.0-only
    GPL-2.0-or-later GPL-3.0-only GPL-3.0-or-later Interbase-1.0 LAL-1.2 LAL-1.3 LiLiQ-Rplus-1.1
    Linux-man-pages-copyleft LPPL-1.0 LPPL-1.1 LPPL-1.2 LPPL-1.3a LPPL-1.3c MakeIndex Motosoto NPOSL-3.0 ODbL-1.0
    OSL-1.0 OSL-1.1 OSL-2.0 OSL-2.1 OSL-3.0 Parity-6.0.0 Parity-7.0.0 PPL RHeCos-1.1 RPL-1.1 RPL-1.5 SimPL-2.0 Sleepycat
    SMAIL-GPL SNIA SSPL-1.0 SugarCRM-1.1.3 TGPPL-1.0 TMate TOSL Vim VOSTROM YPL-1.1`,
  'use-restricted': `
    Aladdin ASWF-Digital-Assets-1.0 ASWF-Digital-Assets-1.1 BSD-3-Clause-No-Military-License
    BSD-3-Clause-No-Nuclear-License BSD-3-Clause-No-Nuclear-License-2014 BSD-3-Clause-No-Nuclear-Warranty
    BSD-3-Clause-OpenWebUI BUSL-1.1 C-UDA-1.0 Caldera CC-BY-NC-1.0 CC-BY-NC-2.0 CC-BY-NC-2.5 CC-BY-NC-3.0
    CC-BY-NC-3.0-DE CC-BY-NC-3.0-IGO CC-BY-NC-4.0 CC-BY-NC-ND-1.0 CC-BY-NC-ND-2.0 CC-BY-NC-ND-2.5 CC-BY-NC-ND-3.0
    CC-BY-NC-ND-3.0-DE CC-BY-NC-ND-3.0-IGO CC-BY-NC-ND-4.0 CC-BY-NC-SA-1.0 CC-BY-NC-SA-2.0 CC-BY-NC-SA-2.0-DE
    CC-BY-NC-SA-2.0-FR CC-BY-NC-SA-2.0-UK CC-BY-NC-SA-2.5 CC-BY-NC-SA-3.0 CC-BY-NC-SA-3.0-DE CC-BY-NC-SA-3.0-IGO
    CC-BY-NC-SA-4.0 CC-BY-ND-1.0 CC-BY-ND-2.0 CC-BY-ND-2.5 CC-BY-ND-3.0 CC-BY-ND-3.0-DE CC-BY-ND-4.0 CPOL-1.02
    Elastic-2.0 FSL-1.1-ALv2 FSL-1.1-MIT Hippocratic-2.1 Hippocratic-3.0-core HPND-export-US
    HPND-export-US-acknowledgement HPND-UC-export-US JPL-image MVT-1.1 NCGL-UK-2.0 PolyForm-Noncommercial-1.0.0
    PolyForm-Small-Business-1.0.0 SGI-B-1.0 SOFA SUL-1.0 Unicode-TOU UnRAR Watcom-1.0`,
  unknown: `
    Advanced-Cryptics-Dictionary ALGLIB-Documentation any-OSI any-OSI-perl-modules atc-game BSD-Source-alt-GPL Buddy
    Bugroff FDK-MPEG-H HPND-sell-variant-critical-systems hyphen-bulgarian Informatica ISO-permission MMPL-1.0.1 OSC-1.0
    OSSP ParaType-Free-Font-1.3`,
};

const classes: ReadonlyMap<string, LicenseClass> = new Map(
  licenseClasses.flatMap((it) => words(identifiers[it]).map((id) => [id, it] as const)),
);

/**
 * Exceptions after `WITH` that let other licenses apply to what is linked with the package or made by it. Source: as
 * above, without exceptions that apply to one other library (OpenSSL), to free software only, or to no linking at all.
 */
const linkingExceptions: ReadonlySet<string> = new Set(
  words(`
  389-exception Autoconf-exception-2.0 Autoconf-exception-3.0 Autoconf-exception-generic
  Autoconf-exception-generic-3.0 Autoconf-exception-macro Bison-exception-1.24 Bison-exception-2.2
  Bootloader-exception Classpath-exception-2.0 CLISP-exception-2.0 eCos-exception-2.0 Fawkes-Runtime-exception
  FLTK-exception fmt-exception Font-exception-2.0 freertos-exception-2.0 GCC-exception-2.0 GCC-exception-2.0-note
  GCC-exception-3.1 Gmsh-exception GNAT-exception GNOME-examples-exception GNU-compiler-exception
  gnu-javamail-exception GPL-3.0-interface-exception GPL-3.0-linking-exception GPL-3.0-linking-source-exception
  GStreamer-exception-2005 GStreamer-exception-2008 i2p-gpl-java-exception KiCad-libraries-exception
  LGPL-3.0-linking-exception Libtool-exception Linux-syscall-note LLGPL LLVM-exception LZMA-exception mif-exception
  OCaml-LGPL-linking-exception OCCT-exception-1.0 OpenJDK-assembly-exception-1.0 PS-or-PDF-font-exception-20170817
  QPL-1.0-INRIA-2004-exception Qt-GPL-exception-1.0 Qt-LGPL-exception-1.1 Qwt-exception-1.0 SANE-exception SHL-2.0
  SHL-2.1 SWI-exception Swift-exception Texinfo-exception u-boot-exception-2.0 WxWindows-exception-3.1`),
);

function words(text: string): string[] {
  return text.trim().split(/\s+/);
}
