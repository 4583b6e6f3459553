<?xml version="1.0" encoding="UTF-8"?>
<!--
  Turns a Schematron into a stylesheet that writes the id of each rule which a document breaks: a mode for
  each pattern, a template for each rule, and in a pattern a node meets only the first rule that
  matches (ISO 19757-3, 6.5). It writes no report, so that a document is judged in the least time.
-->
<xsl:stylesheet version="2.0"
    xmlns:xsl="http://www.w3.org/1999/XSL/Transform"
    xmlns:sch="http://purl.oclc.org/dsdl/schematron"
    xmlns:out="urn:drawbridge:stylesheet">
  <xsl:namespace-alias stylesheet-prefix="out" result-prefix="xsl"/>

  <xsl:template match="sch:schema">
    <out:stylesheet version="2.0">
      <xsl:for-each select="sch:ns">
        <xsl:namespace name="{@prefix}" select="@uri"/>
      </xsl:for-each>
      <!-- Used by published rules, and declared by none: the usual translator does. -->
      <xsl:namespace name="xsd" select="'http://www.w3.org/2001/XMLSchema'"/>
      <out:output method="text"/>
      <xsl:copy-of select="xsl:*"/>
      <xsl:apply-templates select="sch:let, sch:pattern/sch:let"/>
      <out:template match="/">
        <xsl:for-each select="sch:pattern">
          <out:apply-templates select="*" mode="m{position()}"/>
        </xsl:for-each>
      </out:template>
      <xsl:for-each select="sch:pattern">
        <xsl:variable name="mode" select="concat('m', position())"/>
        <!-- Attributes are walked only where a rule looks at some. -->
        <xsl:variable name="below"
            select="if (sch:rule[matches(@context, '(^|/|\|)\s*@')]) then '@*|*' else '*'"/>
        <xsl:apply-templates select="sch:rule">
          <xsl:with-param name="mode" select="$mode"/>
          <xsl:with-param name="below" select="$below"/>
        </xsl:apply-templates>
        <out:template match="@*|node()" priority="0" mode="{$mode}">
          <out:apply-templates select="{$below}" mode="{$mode}"/>
        </out:template>
      </xsl:for-each>
    </out:stylesheet>
  </xsl:template>

  <xsl:template match="sch:let">
    <out:variable name="{@name}" select="{@value}"/>
  </xsl:template>

  <xsl:template match="sch:rule">
    <xsl:param name="mode"/>
    <xsl:param name="below"/>
    <out:template match="{@context}" priority="{1 + last() - position()}" mode="{$mode}">
      <xsl:apply-templates select="sch:let, sch:assert"/>
      <out:apply-templates select="{$below}" mode="{$mode}"/>
    </out:template>
  </xsl:template>

  <xsl:template match="sch:assert">
    <out:if test="not({@test})">
      <out:value-of select="'{@id}&#10;'"/>
    </out:if>
  </xsl:template>
</xsl:stylesheet>
